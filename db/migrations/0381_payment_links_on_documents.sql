-- The payment link of an invoice's e-mail and PDF is one link, so its secret is read again: it is stored sealed.
ALTER TABLE pay_link ADD sealed text;
