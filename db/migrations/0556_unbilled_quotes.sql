-- Finance staff are notified of an accepted quote that could not be billed, until it is.
SELECT notices_end('quote.unbilled', 'quote', $$NEW.billed_at IS NOT NULL$$);
