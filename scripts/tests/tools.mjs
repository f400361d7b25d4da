// Installs what tests drive, where it isn't there: `postgres`, `browser`. One after the other, as apt does one thing at a time.
import { installBrowser } from '../browsers.mjs'
import { installPostgres } from '../postgres.mjs'

const wanted = process.argv.slice(2)
if (wanted.includes('postgres') && !process.env.TEST_DATABASE_URL) installPostgres()
if (wanted.includes('browser')) installBrowser()
