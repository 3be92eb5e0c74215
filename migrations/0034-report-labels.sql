-- Reports by mail of machines with a label.
alter table report_subscription add column labels integer[];  -- null: whatever they carry
