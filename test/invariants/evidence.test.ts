import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EvidenceSpec, SealedRowsSpec } from '#kernel/evidence.ts'
import { uploadedDocument } from '#modules/portal/files/uploaded-document.ts'
import { ramsRequestSecretLink } from '#modules/safety/requests/letters.server.ts'
import { registryOf } from '#server/engine/registry.ts'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { addContracts } from '#test/support/contract-evidence.ts'
import { makeEvidence } from '#test/support/evidence.ts'
import {
  copyRowSql,
  differentValueSql,
  swapIdsSql,
  type TableColumn,
  writableColumns,
} from '#test/support/forged-rows.ts'
import { evidenceTables, withForgery } from '#test/support/forging.ts'
import { addIncidents } from '#test/support/incident-evidence.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'
import { pickDailySample, testEach } from '#test/support/scope.ts'
import { MINIMAL_PDF, makeUploadForm } from '#test/support/uploads.ts'

// The database owner disables all triggers, drops all constraints, and then edits, deletes, inserts, moves and reorders
// all rows declared as evidence. Future declarations are tested too.

const folder = mkdtempSync(join(tmpdir(), 'stanchion-every-row-'))
afterAll(() => rmSync(folder, { recursive: true }))
const portal = await (await testPortal()).with({ DATA_DIR: folder })
const allEvidences = registryOf(portal.engine).evidence
// Money and other records whose every save is sealed are forged in `billing/ledger/money-evidence.test.ts`.
const evidences = allEvidences.filter(({ savedWithout }) => !savedWithout)
const declared = evidenceTables(allEvidences)
const FILES = uploadedDocument.table

/** Columns that are not evidence of a sealed record, each with the reason. */
const SAYS_NOTHING: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  document: {
    improved_to_id: 'up to where its author has looked at what its template was improved by; each look is in the trail',
    updated_at: 'when its row was last written',
    last_edit_by: 'person who last changed its row; each change is in the audit',
    reminded: 'which letters about its review have gone',
    asked_count: 'worked out from requests and signatures',
    missing_count: 'worked out from requests and signatures',
    carried_count: 'worked out from signatures',
    waits_for_signatures: 'worked out from the counts',
    pack: 'follows from its type, which is sealed',
    reader_group: 'follows from its type, which is sealed',
  },
  incident_report: {
    device_key: 'recognises a report that a device sends twice',
    disease_by_id: 'states who may read the disease, which is sealed',
    form_required: 'states what the form of a report insisted on; the answers that are missing are sealed',
    riddor_outcome: 'worked out from the facts, which are sealed',
    clock_started_on: 'worked out from the facts, which are sealed',
    report_by: 'worked out from the facts; each decision seals its own',
    updated_at: 'when its row was last written',
  },
  custom_form_answer: {
    sent_key: 'recognises a request by link that is repeated',
  },
  employment_contract: {
    hashes: 'recognises links; each creation of one is in the audit',
    queued_at: 'when its e-mail was queued',
  },
  rams_received: {
    user_id: 'of accounts: whoever sends it has none',
    author: 'of accounts: whoever sends it has none',
  },
}

/** Tables that refer to sealed records but are not evidence, each with the reason. */
const NO_EVIDENCE: Readonly<Record<string, string>> = {
  training_booking: 'a seat; the training record of its attendance is sealed',
  seal: 'the chain itself',
  sign_off: 'asks for signatures, and proves nothing',
  signing_link:
    'lets people without an account sign a document; their signatures are sealed with it, and each creation, opening and withdrawal is in the audit',
  pack_link: 'lets somebody outside read, and proves nothing; each making, opening and end is in the trail',
  form_link:
    'lets people without an account answer a form; their answers are evidence, and each creation, opening and withdrawal is in the audit',
  talk_link:
    'lets people without an account sign a talk; their signatures are in its record, and each creation, opening and withdrawal is in the audit',
  incident_statement_request:
    'lets a witness give a statement, which is sealed with its incident; each creation, opening and withdrawal is in the audit',
  incident_event: 'the history as shown; each change that it names is sealed with the incident',
  custom_form: 'is worked on: what was published of it is evidence',
  talk_scheduled: 'says what is meant to be; that it was is the record’s to prove',
  required_check: 'states which check is due, and when; that it took place is the check’s to prove',
  form_schedule: 'says who is to fill a form in, and when; that they did is the answer’s to prove',
  advice_request: 'asks a consultant, and proves nothing',
  document_words: 'worked out from documents, for searching',
  uploaded_document_words: 'worked out from files, for searching',
}

const MONEY_WORKED_ON = {
  bank_line: 'a line of the bank’s statement; the payment made from it is sealed',
  counted_sale: 'a seller’s figure, checked by a manager; it moves no money',
  coupon_redemption: 'counts the use of a coupon; the quote’s terms are sealed',
  deferred_income: 'follows from invoices, and is compared with the ledger',
  dunning: 'the state of reminders',
  dunning_step: 'a reminder; it moves no money',
  invoice_settlement: 'follows from ledger entries, for VAT on cash',
  late_payment_claim: 'a claim; what was added to an invoice is sealed with it',
  pay_link: 'lets a customer pay; the payment is sealed',
  quote_link: 'lets a customer read and sign; the signature is sealed with the quote',
  rams_request_link: 'lets a subcontractor send files; these are sealed',
  stock_movement: 'counts stock; it moves no money',
  subscription: 'what will be invoiced; the invoices are sealed',
  subscription_change: 'a change of a subscription; each is in the audit trail',
  vat_bad_debt: 'follows from invoices',
  vat_return_row: 'follows from the ledger',
  webhook_event: 'what the payment service reported; the payment is sealed',
}

let client: { readonly id: number }
let columns: ReadonlyMap<string, readonly TableColumn[]>
const rows = <T>(sql: string, values: readonly unknown[] = []) => portal.db.tx('owner', (tx) => tx.rows<T>(sql, values))

beforeAll(async () => {
  const made = await makeEvidence(portal)
  client = made.client
  await addForms(made.author)
  await addCustomForms(made.author)
  await addReceived(made.author, made.client.id)
  await addIncidents(portal, made.client)
  await addContracts(portal, made.client)
  await portal.runSchedule('evidence.heads')
  await portal.db.tx('owner', async (tx) => {
    const tables = [...declared, FILES, 'seal', 'seal_head']
    columns = new Map(
      await Promise.all(tables.map(async (table) => [table, await writableColumns(tx, table)] as const)),
    )
    const guards = await tx.rows<{ drop: string }>(
      `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop
       FROM pg_constraint WHERE contype IN ('c', 'u') AND conrelid = ANY($1::regclass[])
       UNION ALL SELECT format('DROP INDEX %s', indexrelid::regclass) FROM pg_index
       WHERE indisunique AND NOT indisprimary AND indrelid = ANY($1::regclass[])
         AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = indexrelid)`,
      [tables],
    )
    await tx.script(guards.map(({ drop }) => drop).join('; '))
  })
})

/** Adds two identical versions of a form. */
async function addForms(author: TestApi): Promise<void> {
  const { title, steps } = (await author.get('/api/safety/risk_assessments/schema')).body
  for (const notes of ['Reads better', 'Reads better still']) {
    const body = { kind: 'risk_assessment', schema: { title, steps }, notes }
    expect((await author.post('/api/safety/form_versions', body)).status).toBe(201)
  }
}

/** Adds two published custom forms, each with a completed record. */
async function addCustomForms(author: TestApi): Promise<void> {
  const fields = [{ name: 'place', kind: 'text', label: 'Place' }]
  for (const title of ['Ladder check', 'Harness check']) {
    const schema = { steps: [{ name: 'check', title: 'Check', groups: [{ fields }] }] }
    const made = (await author.post('/api/safety/custom_forms', { title, schema })).body
    const { current } = (await author.post(`${made['@id']}/publish`, {})).body
    const body = { form: made['@id'], version: current, answers: { place: title } }
    expect((await author.post('/api/safety/custom_form_answers', body)).status).toBe(201)
  }
}

/** Adds two versions of a subcontractor's submission. */
async function addReceived(author: TestApi, clientId: number): Promise<void> {
  const asked = { company: 'Slate', person: 'Sam', email: 'sam@slate.example', job: 'Roof' }
  const due = portal.engine.clock.now().toZonedDateTimeISO('Europe/London').toPlainDate().add({ days: 7 }).toString()
  const request = await author.post('/api/safety/rams_requests', { ...asked, due })
  expect(request.status).toBe(201)
  const link = await ramsRequestSecretLink.make(portal.engine, clientId, { request: request.body.id })
  const at = `/api/safety/asked_rams/${link?.split('/').at(-1)}/files`
  for (const more of ['one', 'two']) {
    const file = Buffer.concat([MINIMAL_PDF, Buffer.from(`% ${more}\n`)])
    const sent = await portal.anonymous.send(
      'POST',
      at,
      makeUploadForm(file, `${more}.pdf`, { sender: more, notes: more }),
    )
    expect(sent.status).toBe(201)
  }
}

const look = async () => (await verifyEvidence(portal.engine, client.id)).broken
const told = (...sql: string[]) => withForgery(portal, client.id, (tx) => tx.script(sql.join('; ')), look)
const columnsIn = (table: string, ...without: string[]) =>
  (columns.get(table) ?? []).filter(({ name }) => !['id', 'client_id', ...without].includes(name))
const edit = (table: string, id: number, which: readonly TableColumn[]) =>
  `UPDATE ${table} SET ${which.map(differentValueSql).join(', ')} WHERE id = ${id}`
const expectFinding = (findings: readonly string[], ...words: readonly string[]) =>
  expect(findings.filter((finding) => words.every((word) => finding.includes(word)))).not.toEqual([])

interface Sample {
  readonly id: number
  readonly events: readonly string[]
  readonly named: string
}

/** Returns the client's sealed records, those with the most chain links first. */
async function samplesOf({ of, named }: EvidenceSpec, where = 'true'): Promise<Sample[]> {
  const found = await rows<Omit<Sample, 'named'> & { row: Readonly<Record<string, unknown>> }>(
    `SELECT t.id, to_jsonb(t) AS row, array_agg(s.event) AS events FROM ${of.table} t
     JOIN seal s ON s.client_id = t.client_id AND s.subject_type = $2 AND s.subject_id = t.id
     WHERE t.client_id = $1 AND ${where} GROUP BY t.client_id, t.id ORDER BY count(*) DESC, t.id`,
    [client.id, of.type],
  )
  return found.map(({ id, events, row }) => ({ id, events, named: named(row) }))
}

const sealedColumns = ({ events }: EvidenceSpec): Set<string> =>
  new Set(Object.values(events).flatMap(({ columns: some = [], mark }) => (mark ? [...some, mark] : some)))

test('rows added by an event have only declared columns, because they may be sealed before they are inserted', () => {
  const added = new Set(evidences.flatMap(({ events }) => Object.values(events).flatMap(({ adds }) => adds ?? [])))
  expect(added.size).toBeGreaterThan(0)
  const unsaid = [...added].flatMap((table) => {
    const said = portal.engine.resources.filter((r) => r.table === table).flatMap((r) => Object.values(r.columns))
    return said.length ? columnsIn(table).filter(({ name }) => !said.includes(name)) : []
  })
  expect(unsaid).toEqual([])
})

test('verification finds no fault in an unmodified client with all kinds of evidence', async () => {
  expect(await look()).toEqual([])
  for (const of of evidences) {
    const happened = new Set((await samplesOf(of)).flatMap(({ events }) => events))
    const expected = Object.keys(of.events).filter((event) => event !== 'adopted')
    expect([of.of.type, expected.filter((event) => !happened.has(event))]).toEqual([of.of.type, []])
  }
})

test('every table that refers to a sealed record is declared as evidence or exempted with a reason', async () => {
  const referring = await rows<{ from: string }>(
    `SELECT DISTINCT conrelid::regclass::text AS from FROM pg_constraint
     WHERE contype = 'f' AND confrelid = ANY($1::regclass[]) AND conrelid <> ALL($1::regclass[]) ORDER BY 1`,
    [declared],
  )
  expect(
    referring.map(({ from }) => from).filter((table) => !(table in NO_EVIDENCE || table in MONEY_WORKED_ON)),
  ).toEqual([])
})

testEach(
  'every column of a sealed record is sealed by an event or listed with a reason',
  evidences,
  (of) => of.of.type,
  (of) => {
    const { table } = of.of
    const silent = SAYS_NOTHING[table] ?? {}
    const sealed = sealedColumns(of)
    const forgotten = columnsIn(table).filter(({ name }) => !sealed.has(name) && !(name in silent))
    expect(forgotten.map(({ name }) => name)).toEqual([])
  },
)

describe.each(pickDailySample(evidences, 2).map((of) => [of.of.type, of] as const))(
  'tampering with a %s',
  (_type, of) => {
    const { table } = of.of

    test('an edited sealed record is detected', async () => {
      const [sample] = await samplesOf(of)
      if (!sample) throw new Error(`There is no ${of.of.type}`)
      const sealed = new Set(sample.events.flatMap((event) => of.events[event]?.columns ?? []))
      const edited = columnsIn(table).filter(({ name }) => sealed.has(name))
      const findings = await told(edit(table, sample.id, edited))
      for (const { name } of edited)
        expectFinding(
          findings,
          `${sample.named}: its ${of.columns?.[name] ?? name.replaceAll('_', ' ')} `,
          'sealed by entry ',
        )
    })

    test('a deleted, inserted, moved or swapped sealed record is detected', async () => {
      const [one, other] = await samplesOf(of)
      if (!one || !other) throw new Error(`There are no two of ${of.of.type}`)
      expectFinding(await told(`DELETE FROM ${table} WHERE id = ${one.id}`), `${one.named}: it is missing`)
      expectFinding(await told(`UPDATE ${table} SET client_id = 0 WHERE id = ${one.id}`), `${one.named}: it is missing`)
      expectFinding(
        await told(copyRowSql(table, columns.get(table) ?? [], one.id)),
        of.named({ title: '', ...(await rowOf(table, one.id)) }).split(' (record')[0] ?? '',
        'the chain has no entry for it',
      )
      const swapped = await told(swapIdsSql(table, one.id, other.id))
      for (const { named } of [one, other]) expectFinding(swapped, `${named}: its `, 'sealed by entry ')
    })
  },
)

const rowOf = async (table: string, id: number) =>
  (
    await rows<{ row: Readonly<Record<string, unknown>> }>(`SELECT to_jsonb(t) AS row FROM ${table} t WHERE id = $1`, [
      id,
    ])
  )[0]?.row ?? {}

const rowsOfAll = evidences.flatMap((of) => of.rows.map((r) => [r.table, of, r] as const))

describe.each(pickDailySample(rowsOfAll, 2))(
  'tampering with rows of %s',
  (table, of, { by, named, without = [] }: SealedRowsSpec) => {
    /** Finds a record with two rows of the table, and another record. */
    const found = async () => {
      const [record] = await samplesOf(
        of,
        `(SELECT count(*) FROM ${table} r WHERE r.client_id = t.client_id AND r.${by} = t.id) > 1`,
      )
      const [another] = await samplesOf(of, `t.id <> ${record?.id ?? 0}`)
      if (!record || !another) throw new Error(`No record has two rows of ${table}`)
      const two = await rows<{ id: number; row: Readonly<Record<string, unknown>> }>(
        `SELECT r.id, to_jsonb(r) AS row FROM ${table} r WHERE r.client_id = $1 AND r.${by} = $2 ORDER BY r.id LIMIT 2`,
        [client.id, record.id],
      )
      const [first, second] = two.map(({ id, row }) => ({ id, called: `${record.named}: ${named(row)}` }))
      if (!first || !second) throw new Error(`No record has two rows of ${table}`)
      return { record, another, first, second }
    }

    test("an edit in any column of a sealed record's row is detected", async () => {
      const { first } = await found()
      const edited = columnsIn(table, by, ...without)
      const findings = await told(edit(table, first.id, edited))
      for (const { name } of edited)
        expectFinding(findings, `${first.called} has been changed (`, name.replaceAll('_', ' '), 'sealed by entry ')
    })

    test('a deleted, inserted, moved or swapped row in a sealed record is detected', async () => {
      const { record, another, first, second } = await found()
      expectFinding(
        await told(`DELETE FROM ${table} WHERE id = ${first.id}`),
        `${first.called} is missing`,
        'sealed by entry ',
      )
      expectFinding(
        await told(copyRowSql(table, columns.get(table) ?? [], first.id)),
        record.named,
        'was added without an entry in the chain',
      )
      const moved = await told(`UPDATE ${table} SET ${by} = ${another.id} WHERE id = ${first.id}`)
      expectFinding(moved, `${first.called} is missing`)
      expectFinding(moved, another.named, 'was added without an entry in the chain')
      const swapped = await told(swapIdsSql(table, first.id, second.id))
      for (const { called } of [first, second]) expectFinding(swapped, `${called} has been changed (`)
    })
  },
)

test('an edited sealed column, a deleted row and a changed client are each detected for an uploaded file', async () => {
  const [file] = await rows<{ id: number }>(`SELECT min(id) AS id FROM ${FILES} WHERE client_id = $1`, [client.id])
  const id = file?.id ?? 0
  const sealed = ['name', 'type', 'size', 'checksum', 'file_key', 'view_key']
  const findings = await told(
    edit(
      FILES,
      id,
      columnsIn(FILES).filter(({ name }) => sealed.includes(name)),
    ),
  )
  for (const name of sealed) expectFinding(findings, 'that it refers to has been changed (', name.replaceAll('_', ' '))
  expectFinding(await told(`DELETE FROM ${FILES} WHERE id = ${id}`), 'that it refers to is missing')
  expectFinding(
    await told(`UPDATE ${FILES} SET client_id = client_id + 1000 WHERE id = ${id}`),
    'that it refers to is missing',
  )
})

describe('tampering with the bytes of sealed files', () => {
  const kept = [
    ['an uploaded file', FILES, 'file_key', 'that it refers to'],
    ...evidences.flatMap(({ of, file }) => (file ? [[`a ${of.type}`, of.table, file.key, 'its file']] : [])),
    ...rowsOfAll.flatMap(([table, , { file }]) =>
      file ? [[`a row of ${table}`, table, file.key, 'the bytes of']] : [],
    ),
  ] as [string, string, string, string][]

  test.each(kept)('changed or missing bytes in %s are detected', async (_what, table, key, said) => {
    const [row] = await rows<{ key: string }>(`SELECT ${key} AS key FROM ${table} WHERE client_id = $1 ORDER BY id`, [
      client.id,
    ])
    const path = join(folder, 'files', row?.key ?? '')
    const bytes = readFileSync(path)
    try {
      writeFileSync(path, Buffer.concat([bytes, Buffer.from('forged')]))
      expectFinding(await look(), said, 'differ from those that were sealed')
      rmSync(path)
      expectFinding(await look(), said, 'are missing')
    } finally {
      writeFileSync(path, bytes)
    }
    expect(await look()).toEqual([])
  })
})

describe('tampering with the audit chain', () => {
  test('an edit in any column of an audit-chain entry except its id is detected', async () => {
    const [second] = await rows<{ id: number }>('SELECT id FROM seal WHERE client_id = $1 AND place = 2', [client.id])
    for (const column of columnsIn('seal'))
      expectFinding(
        await told(edit('seal', second?.id ?? 0, [column])),
        column.name === 'subject' ? 'entry 2' : 'ntry ',
      )
  })

  test('a deleted, inserted, moved or swapped audit-chain entry is detected', async () => {
    const [one, two] = (
      await rows<{ id: number }>('SELECT id FROM seal WHERE client_id = $1 AND place IN (2, 3) ORDER BY place', [
        client.id,
      ])
    ).map(({ id }) => id) as [number, number]
    expectFinding(await told(`DELETE FROM seal WHERE id = ${one}`), 'entry 2 is missing')
    expectFinding(
      await told(copyRowSql('seal', columns.get('seal') ?? [], one)),
      'Entry 2 of the chain',
      'entry 3 is missing',
    )
    expectFinding(await told(`UPDATE seal SET client_id = client_id + 1000 WHERE id = ${one}`), 'entry 2 is missing')
    const swap = `UPDATE seal SET place = 5 - place WHERE id IN (${one}, ${two})`
    expectFinding(await told(swap), 'it does not follow the entry before it')
  })

  test('an edited, deleted, inserted or moved signed audit-chain head is detected', async () => {
    const [head] = await rows<{ id: number }>('SELECT id FROM seal_head WHERE client_id = $1', [client.id])
    const id = head?.id ?? 0
    for (const column of columnsIn('seal_head'))
      expectFinding(await told(edit('seal_head', id, [column])), 'The signed head of')
    const kept = 'it is in the file outside the database, but no longer in the database'
    expectFinding(await told(`DELETE FROM seal_head WHERE id = ${id}`), kept)
    expectFinding(await told(`UPDATE seal_head SET client_id = 0 WHERE id = ${id}`), kept)
    expectFinding(
      await told(copyRowSql('seal_head', columns.get('seal_head') ?? [], id, { entries: 'entries - 1' })),
      'the copy in the database does not match its signature',
    )
  })
})
