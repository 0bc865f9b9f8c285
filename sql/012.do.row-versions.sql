-- A row's version is its xmin, the transaction that wrote it: what an ETag is made of and If-Match is compared with. A
-- role with column grants needs one for it; the tables that are granted as a whole have it.
grant select (xmin) on builder.quotes to builder_customer;
