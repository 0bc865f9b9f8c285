-- Functions that are no longer in code/, or whose parameters or results have changed there.
drop function if exists builder.due_quotes(integer, uuid[], boolean, uuid[]);
drop function if exists builder.expire_quote(uuid);
drop function if exists builder.expire_quotes(integer, uuid[]);
drop function if exists builder.live_condition(json);
