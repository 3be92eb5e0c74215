-- A webhook's log does not tell a name inside the portal's network from one that does not answer.
update webhook_delivery set failure = 'unreachable' where failure = 'refused';
