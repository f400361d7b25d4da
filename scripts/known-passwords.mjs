// Creates the filter of known passwords from a list with one password per line, the most common first: `node
// scripts/known-passwords.mjs 10_million_password_list_top_1M.txt`
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  addToPasswordFilter,
  createEmptyPasswordFilter,
  MIN_PASSWORD_LENGTH,
  passwordFilterKey,
} from '../src/server/auth/passwords.ts'

/**
 * Number of the most common passwords in which to look for words. A password consisting only of letters is treated as a
 * word. People combine such words into longer passwords.
 */
const WORD_COUNT = 20_000
const [list] = process.argv.slice(2)
if (!list) throw new Error('Usage: node scripts/known-passwords.mjs LIST')
const all = readFileSync(list, 'utf8').split(/\r?\n/)
const keys = new Set([
  ...all
    .filter((p) => p.length >= MIN_PASSWORD_LENGTH && p.length <= 200)
    .map((p) => passwordFilterKey('password', p.toLowerCase())),
  ...all
    .slice(0, WORD_COUNT)
    .filter((p) => /^[a-z]{4,}$/i.test(p))
    .map((p) => passwordFilterKey('word', p.toLowerCase())),
])
const filter = createEmptyPasswordFilter(keys.size)
for (const key of keys) addToPasswordFilter(filter, key)
writeFileSync(join(import.meta.dirname, '../src/server/auth/known-passwords.bin'), filter)
console.log(`${keys.size} entries in ${filter.length} bytes`)
