// Makes the filter of known passwords from a list with one password in each line, the most used first:
//   node scripts/known-passwords.mjs 10_million_password_list_top_1M.txt
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  addToFilter,
  createEmptyFilter,
  MIN_PASSWORD_LENGTH,
  passwordFilterKey,
} from '../src/server/auth/known-passwords.ts'

/** Of the most used ones, those of letters only are words that others are made of. */
const WORD_COUNT = 20_000
const [list] = process.argv.slice(2)
if (!list) throw new Error('Say: node scripts/known-passwords.mjs LIST')
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
const filter = createEmptyFilter(keys.size)
for (const key of keys) addToFilter(filter, key)
writeFileSync(join(import.meta.dirname, '../src/server/auth/known-passwords.bin'), filter)
console.log(`${keys.size} entries in ${filter.length} bytes`)
