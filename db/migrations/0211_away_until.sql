-- The last day on which somebody is away: until then the team rings whom they have agreed to ring.
ALTER TABLE staff ADD away_until date;
