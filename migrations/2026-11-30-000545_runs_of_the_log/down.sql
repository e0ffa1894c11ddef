alter table transparency_entries drop constraint transparency_entries_length;
insert into transparency_entries (index, game_id, seq, hash)
select index + place, game_id, seq + place, substring(hash from (32 * place + 1)::integer for 32)
from transparency_entries cross join lateral generate_series(1, length - 1) as place
where length > 1;
update transparency_entries set hash = substring(hash from 1 for 32) where length > 1;
alter table transparency_entries drop column length;
