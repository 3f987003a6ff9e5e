with openings as (
  select game, m.seats, win_share,
    unnest(list_distinct([first, split_part(first, ' ', 1)])) as opening
  from seats join matches as m using (game, month, match)
  where given is null and won is null and first <> ''
), counted as (
  select game, opening, count(*) as n, avg(win_share * seats) as mean,
    stddev_samp(win_share * seats) as deviation, sum(seats)::bigint as seats
  from openings group by all having n >= 10
)
select * from counted
qualify row_number() over (partition by game order by n desc, opening) <= 12
order by game, n desc, opening
