-- A logger is a ReXgen, known by 7 digits, or a CANedge, known by its device id of 8 hexadecimal digits.
alter table writer
  drop constraint writer_logger_serial_check,
  add column kind text not null default 'rexgen',
  add constraint writer_logger_serial_check check (
    kind = 'rexgen' and logger_serial ~ '^[0-9]{7}$' or kind = 'canedge' and logger_serial ~ '^[0-9A-F]{8}$'
  );
