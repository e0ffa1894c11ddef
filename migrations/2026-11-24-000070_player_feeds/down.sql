drop table feed_ranges;
drop table feed_heads;
