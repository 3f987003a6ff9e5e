select game, m.seats, count(*) as n, 'luck' as cause, corr(luck, win_share) as r
from seats join matches as m using (game, month, match)
where given is null and won is null and luck is not null group by all
union all
select game, m.seats, count(*) as n, 'own decisions' as cause, corr(own, win_share) as r
from seats join matches as m using (game, month, match)
where given is null and won is null and luck is not null group by all
order by game, seats, cause
