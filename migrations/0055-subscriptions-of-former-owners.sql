-- Subscriptions of people who cannot see the machine any more, because it was sold, end. From now on the sale itself ends them.
delete from alert_rule r using account a, organization o, ownership w
where r.kind = 'charging' and w.stream_id = r.ids[1] and w.valid_to = 'infinity' and a.id = r.account_id
  and o.id = a.organization_id and a.organization_id <> w.organization_id and o.name <> 'admin';

-- The audit row of an unsubscribe link belongs to the subscriber's organization. After a sale it stood in the next owner's log, with
-- the subscriber's address and device and with the machine's new serial number.
update audit set organization_id = account_organization_id, stream_id = null, subject = '',
  aside = aside || jsonb_build_object('serial', subject)
where action = 'subscription.delete' and actor = 'unsubscribe link' and account_organization_id is distinct from organization_id;
