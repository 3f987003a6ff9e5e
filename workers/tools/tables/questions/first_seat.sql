with firsts as (
  select game, month, match, arg_min(seat, version) as first_seat
  from decisions where not undone group by all
)
select game, seats, (seat - first_seat + seats) % seats + 1 as turn,
  count(*) as n, avg(win_share) as share
from seats as s join matches as m using (game, month, match) join firsts using (game, month, match)
where given is null and won is null
group by all order by all
