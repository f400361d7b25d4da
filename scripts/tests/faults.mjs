// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are code
import { existsSync, globSync, readFileSync } from 'node:fs'
import { inRoot, root } from '../shared.mjs'

/**
 * Faults that the tests must detect. Each replaces a text that occurs once in a file. `checks` are the tests that
 * should fail, the cheapest first. Each check names a Vitest project or `journeys`, and part of the test files' paths.
 */
export const FAULTS = [
  {
    name: 'a list shows the rows of every client',
    file: 'src/server/data/access-sql.ts',
    find: 'const own = { condition: `${column} = ${me}::int`, owner: actor.clientId }',
    replace: 'const own = { condition: `(${column} = ${me}::int OR true)`, owner: actor.clientId }',
    checks: ['invariants lists', 'invariants matrix'],
  },
  {
    name: 'a transaction reads the rows of every client',
    file: 'src/server/data/where.ts',
    find: '`t.client_id IN (${mine}::int, 0)` : `t.client_id = ${mine}::int`',
    replace: '`t.client_id IN (${mine}::int, 0)` : `(t.client_id = ${mine}::int OR true)`',
    checks: ['unit src/server/data/where'],
  },
  {
    name: 'a verb requires no role',
    file: 'src/kernel/can.ts',
    find: 'if (!hasRole(actor, rolesFor(r, verb)) || ',
    replace: 'if (',
    checks: ['unit src/kernel', 'invariants lists', 'invariants matrix'],
  },
  {
    name: 'records of a lapsed pack can be changed',
    file: 'src/kernel/can.ts',
    find: "if (pack === 'none' || (pack === 'lapsed' && verb !== 'read')) return NOTHING",
    replace: "if (pack === 'none') return NOTHING",
    checks: ['unit src/kernel', 'invariants matrix'],
  },
  {
    name: 'access rules do not restrict rows',
    file: 'src/kernel/can.ts',
    find: 'const narrowed = only ? { only } : {}',
    replace: 'const narrowed = {}',
    checks: ['unit src/kernel', 'invariants lists'],
  },
  {
    name: 'a user can sign while impersonating',
    file: 'src/kernel/can.ts',
    find: "actor?.original !== undefined && verb !== 'read'",
    replace: "actor?.original === null && verb !== 'read'",
    checks: ['unit src/kernel', 'http src/modules/documents/signing', 'invariants matrix'],
  },
  {
    name: 'VAT is rounded down',
    file: 'src/kernel/money.ts',
    find: '(2n * size + d) / (2n * d)',
    replace: '(2n * size) / (2n * d)',
    checks: ['unit src/kernel/money'],
  },
  {
    name: 'periods drift from their day of the month',
    file: 'src/kernel/money/periods.ts',
    find: 'anchor.add({ months: MONTHS[rhythm] * count * n })',
    replace: 'anchor.add({ days: 30 * MONTHS[rhythm] * count * n })',
    checks: ['unit src/kernel/money', 'unit src/modules/billing'],
  },
  {
    name: 'a card is charged a sixth time',
    file: 'src/modules/billing/dunning/plan.ts',
    find: 'const MAX_ATTEMPTS = 5',
    replace: 'const MAX_ATTEMPTS = 6',
    checks: ['unit src/modules/billing/dunning', 'http src/modules/billing/dunning'],
  },
  {
    name: 'a VAT return without an answer from HMRC counts as refused',
    file: 'src/modules/billing/vat/hmrc.server.ts',
    find: 'return this.status === 0 || this.status >= 500 || this.status < 400',
    replace: 'return false',
    checks: ['http src/modules/billing/vat/hmrc'],
  },
  {
    name: 'an invoice is posted without its VAT',
    file: 'src/modules/billing/invoices/issue.server.ts',
    find: "{ account: 'vat', amount: tax, ...pickLineVat(line) }",
    replace: "{ account: 'vat', amount: 0 * tax, ...pickLineVat(line) }",
    checks: ['http src/modules/billing/invoices', 'http src/modules/billing/ledger'],
  },
  {
    name: 'credit that was given back still pays an invoice',
    file: 'src/modules/billing/invoices/settle.server.ts',
    find: 'Math.min(pence, short + beyond)',
    replace: 'Math.min(pence, short)',
    checks: ['http src/modules/billing/bank/corrections'],
  },
  {
    name: 'two records get the same number',
    file: 'src/server/data/sequences.ts',
    find: 'DO UPDATE SET last = sequence_counter.last + $5::int RETURNING last',
    replace: 'DO UPDATE SET last = sequence_counter.last RETURNING last',
    checks: ['invariants sequences', 'http src/modules/billing/invoices'],
  },
  {
    name: 'a change overwrites another that its author has not seen',
    file: 'src/server/engine/writes.ts',
    find: 'if (!matches?.(sent)) throw problem.precondition()',
    replace: 'matches?.(sent)',
    checks: ['http test/contract/verbs'],
  },
  {
    name: 'a draft can be approved',
    file: 'src/modules/documents/types/transitions.ts',
    find: "  approve: {\n    from: ['complete'],",
    replace: "  approve: {\n    from: ['complete', 'draft'],",
    checks: ['unit src/modules/documents', 'http src/modules/documents/lifecycle'],
  },
  {
    name: 'a write leaves no audit row',
    file: 'src/server/data/writing/pending-write.ts',
    find: 'if (entries.length) parts.push(',
    replace: 'if (entries.length > 1) parts.push(',
    checks: ['invariants unit-of-work'],
  },
  {
    name: 'a confidential field appears in lists',
    file: 'src/server/data/plan.ts',
    find: '(list && (f.omitFromLists || f.confidential))',
    replace: '(list && f.omitFromLists)',
    checks: ['invariants unit-of-work'],
  },
  {
    name: 'zero bytes reach the database',
    file: 'src/server/http/clean.ts',
    find: "s.toWellFormed().replaceAll('\\u0000', '')",
    replace: 's',
    checks: ['unit src/server/http/clean', 'invariants unclean-input'],
  },
  {
    name: 'formatted text keeps any tag',
    file: 'src/server/data/rich-text.ts',
    find: '    if (!isRichTextTag(tag)) return\n    const last',
    replace: '    const last',
    checks: ['unit src/server/data/rich-text', 'http test/contract/rich-text'],
  },
  {
    name: 'a cell of an export can start a formula',
    file: 'src/kernel/text.ts',
    find: "(FORMULA_PATTERN.test(text) ? `'${text}` : text)",
    replace: 'text',
    checks: ['unit src/modules/crm/imports'],
  },
  {
    name: 'sessions survive a password change',
    file: 'src/server/auth/credentials.ts',
    find: "password: ['sessions', 'links', 'tickets'],",
    replace: "password: ['links', 'tickets'],",
    checks: ['http src/modules/identity/sessions/ways-in', 'http src/modules/identity/passwords'],
  },
  {
    name: 'passwords can be tried without a delay',
    file: 'src/server/auth/attempts.ts',
    find: 'if (tries <= free || gap === null) return 0',
    replace: 'if (tries <= most || gap === null) return 0',
    checks: ['http src/modules/identity/sessions/sign-in-limits', 'http src/modules/identity/sessions'],
  },
  {
    name: 'a request with a used Idempotency-Key is executed again',
    file: 'src/server/http/idempotency.ts',
    find: 'if (earlier) return replay(engine, earlier, fingerprint, call, e)',
    replace: '',
    checks: ['http test/contract/idempotency.test'],
  },
  {
    name: 'an event is handled twice',
    file: 'src/server/jobs/workers.ts',
    find: 'if (row.isHandled) return',
    replace: '',
    checks: ['http src/server/jobs/queues'],
  },
  {
    name: 'a list starts one page late',
    file: 'src/server/http/list-route.ts',
    find: 'Math.min((page - 1) * size,',
    replace: 'Math.min(page * size,',
    checks: ['http test/contract/collections'],
  },
  {
    name: 'a total is not updated after a write',
    file: 'src/server/engine/writes.ts',
    find: 'for (const table of tables) this.totals.changed(table)',
    replace: '',
    checks: ['http test/contract/counts', 'http src/modules/crm/contacts/counts', 'http test/contract'],
  },
  {
    name: 'a quote is sent to the wrong address',
    file: 'src/modules/billing/quotes/routes.server.ts',
    find: '    to: emailTo,',
    replace: "    to: emailTo.replace('@', '@x.'),",
    checks: ['http src/modules/billing/quotes/letters', 'http src/modules/billing/quotes'],
  },
  {
    name: 'a file is accepted although its extension does not match its content',
    file: 'src/server/files/sniff.ts',
    find: '  if (isMisnamed)\n',
    replace: '  if (isMisnamed && path === name)\n',
    checks: ['http src/modules/portal/files'],
  },
  {
    name: 'a seal does not cover the person who sealed',
    file: 'src/server/evidence/link.ts',
    find: 'const words = [l.previous, l.place, l.event, ...about, l.digest, l.at, l.by]',
    replace: 'const words = [l.previous, l.place, l.event, ...about, l.digest, l.at]',
    checks: ['unit src/server/evidence', 'http src/modules/documents/audit-chain'],
  },
  {
    name: 'an older shortcut takes precedence over a newer one',
    file: 'src/web/ui/keys/keys.ts',
    find: 'shortcuts.findLast((s)',
    replace: 'shortcuts.find((s)',
    checks: ['unit src/web/ui/keys', 'journeys crm'],
  },
  {
    name: 'a search box has no accessible name',
    file: 'src/web/lists/search-box.tsx',
    find: '      aria-label={label}\n      placeholder={label}\n',
    replace: '',
    checks: ['journeys screens'],
  },
  {
    name: 'a page shifts after it has loaded',
    file: 'src/web/ui/page.tsx',
    find: '<header className={css.head}>',
    replace:
      '<header className={css.head} ref={(head) => void setTimeout(() => head?.style.setProperty("padding-bottom", "8rem"), 400)}>',
    checks: ['journeys screens'],
  },
]

const isUnit = (file) => file.endsWith('.unit.test.ts')

/** Test files for each kind of check. */
const TEST_FILES = {
  unit: globSync('{src,scripts}/**/*.unit.test.ts', { cwd: root }),
  http: globSync('{src,test/contract}/**/*.test.ts', { cwd: root }).filter((file) => !isUnit(file)),
  invariants: globSync('{src,test/invariants}/**/*.test.ts', { cwd: root }).filter((file) => !isUnit(file)),
  journeys: globSync('test/e2e/**/*.spec.ts', { cwd: root }),
}

/** Returns the reasons why a fault can't be injected or detected: its text or its tests have moved. */
export function findFaultProblems({ name, file, find, replace, checks }) {
  const text = existsSync(inRoot(file)) ? readFileSync(inRoot(file), 'utf8') : ''
  const count = text.split(find).length - 1
  const untested = checks.filter((check) => {
    const [project, path] = check.split(' ')
    return !TEST_FILES[project]?.some((one) => one.includes(path))
  })
  return [
    ...(text ? [] : [`"${name}": there is no ${file}.`]),
    ...(text && count !== 1 ? [`"${name}": the text to replace occurs ${count} times in ${file}, not once.`] : []),
    ...(find === replace ? [`"${name}" changes nothing.`] : []),
    ...untested.map((check) => `"${name}": there are no tests of "${check}".`),
  ]
}
