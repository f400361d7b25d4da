-- Letters are written where they are sent: nothing ever read these.
DROP TABLE email_template;
