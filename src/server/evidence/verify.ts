import { createHash } from 'node:crypto'
import type { EvidenceSpec, StoredColumnValues } from '#kernel/evidence.ts'
import type { SqlConn } from '#server/db/db.ts'
import { registryOf } from '#server/engine/registry.ts'
import type { Engine } from '#server/engine/types.ts'
import { type FileStore, MissingFileError } from '#server/files/port.ts'
import { fileStoreFor } from '#server/files/store.ts'
import { readChainLinksAfter, readChainLinksByRecord } from './chain.ts'
import { findRecordMismatches, type StoredEvidence } from './compare.ts'
import type { EvidenceFinding } from './finding.ts'
import { formatEvidenceFinding } from './finding.ts'
import { CHAIN_START, type ChainEnd, type ChainLink, findChainLinkError } from './link.ts'
import { findLogMismatch, isLogLink } from './logs.ts'
import type { RecordReplay } from './replay.ts'
import { RecordReplayer } from './replay.ts'
import { readUploadedFiles } from './seal.ts'
import { verifyChainHeads } from './verify-heads.ts'

/** Maximum number of cached checksums. The cache ensures that a file is read only once if many records refer to it. */
const MAX_CACHED_CHECKSUMS = 10_000

interface StoredFileChecksum {
  readonly called: string
  readonly key: string
  readonly checksum: string
}

/** Compares the bytes of sealed files with their checksums. */
class FileByteChecker {
  private readonly store: FileStore
  private readonly seen = new Map<string, string | undefined>()
  constructor(store: FileStore) {
    this.store = store
  }

  /** Describes each mismatch in a record's files in a sentence. */
  async untruths(replay: RecordReplay): Promise<string[]> {
    const untrue: string[] = []
    for (const { called, key, checksum } of filesOf(replay)) {
      const is = await this.digest(key)
      if (is === undefined) untrue.push(`the bytes of ${called} are missing`)
      else if (is !== checksum) untrue.push(`the bytes of ${called} differ from those that were sealed`)
    }
    return untrue
  }

  /** Returns the file's SHA-256 in hexadecimal; `undefined` if the file is missing. */
  private async digest(key: string): Promise<string | undefined> {
    if (this.seen.has(key)) return this.seen.get(key)
    const digest = await this.read(key)
    if (this.seen.size >= MAX_CACHED_CHECKSUMS) this.seen.clear()
    this.seen.set(key, digest)
    return digest
  }

  private async read(key: string): Promise<string | undefined> {
    const sum = createHash('sha256')
    try {
      for await (const chunk of await this.store.get(key)) sum.update(chunk as Buffer)
    } catch (e) {
      if (e instanceof MissingFileError) return undefined
      throw e
    }
    return sum.digest('hex')
  }
}

function filesOf({ of, columns, rows, files }: RecordReplay): StoredFileChecksum[] {
  const uploads = [...files.values()].map((file) =>
    kept(`the file "${String(file.name)}" that it refers to`, file, 'file_key', 'checksum'),
  )
  const own = of.rows.flatMap(({ table, named, file }) =>
    file ? [...(rows.get(table)?.values() ?? [])].map((row) => kept(named(row), row, file.key, file.checksum)) : [],
  )
  const itself = of.file ? [kept('its file', columns, of.file.key, of.file.checksum)] : []
  return [...itself, ...uploads, ...own]
}

const kept = (called: string, row: StoredColumnValues, key: string, checksum: string): StoredFileChecksum => ({
  called,
  key: String(row[key]),
  checksum: String(row[checksum]),
})

interface Owned {
  readonly owner: number
  readonly row: StoredColumnValues
}

/** Reads the current state of a client's records, with one query per table. */
async function readStoredEvidence(
  db: SqlConn,
  clientId: number,
  replays: readonly RecordReplay[],
): Promise<StoredEvidence[]> {
  const found: StoredEvidence[] = []
  for (const [of, some] of Map.groupBy(replays, (replay) => replay.of)) {
    const ids = some.map((replay) => replay.id)
    const rows = await readRowsById(db, clientId, of, ids)
    const tables = await Promise.all(
      of.rows.map(async ({ table, by }) => {
        const sql = `SELECT r.${by} AS owner, to_jsonb(r) AS row FROM ${table} r WHERE r.client_id = $1 AND r.${by} = ANY($2::bigint[])`
        return [table, Map.groupBy(await db.rows<Owned>(sql, [clientId, ids]), (r) => r.owner)] as const
      }),
    )
    const fileIds = some.flatMap((replay) => [...replay.files.keys()])
    const files = new Map(
      (await readUploadedFiles(db, clientId, of.uploads, fileIds)).map((file) => [Number(file.id), file]),
    )
    for (const { id } of some)
      found.push({
        row: rows.get(id),
        rows: new Map(tables.map(([table, owned]) => [table, (owned.get(id) ?? []).map(({ row }) => row)])),
        files,
      })
  }
  return found
}

/** Reads a client's records by ID. */
async function readRowsById(
  db: SqlConn,
  clientId: number,
  { of }: EvidenceSpec,
  ids: readonly number[],
): Promise<ReadonlyMap<number, StoredColumnValues>> {
  const sql = `SELECT t.id AS owner, to_jsonb(t) AS row FROM ${of.table} t WHERE t.client_id = $1 AND t.id = ANY($2::bigint[])`
  const rows = await db.rows<Owned>(sql, [clientId, ids])
  return new Map(rows.map(({ owner, row }) => [owner, row]))
}

/** Number of links read at a time. Memory use therefore does not grow with the chain. */
const PAGE = 500
/** Maximum number of mismatches reported for each client. */
const MAX_FINDINGS = 200

/** Result of verifying one client's chain. */
export interface ClientVerification {
  readonly links: number
  readonly findings: readonly EvidenceFinding[]
}

type Tell = (finding: EvidenceFinding) => void

/**
 * Verifies a client's chain. Checks that each sealed record matches its links, and that each record marked as sealed
 * has a link.
 */
export async function verifyClientEvidence(engine: Engine, clientId: number): Promise<ClientVerification> {
  const evidences = registryOf(engine).evidence
  const findings: EvidenceFinding[] = []
  const tell: Tell = (finding) => void (findings.length < MAX_FINDINGS && findings.push(finding))
  const links = await followChain(engine, evidences, clientId, tell)
  await compareRecords(engine, evidences, clientId, tell)
  for (const of of evidences) {
    await findUnsealed(engine, of, clientId, tell)
    await runChecks(engine, of, clientId, tell)
  }
  return { links, findings }
}

/** Follows the chain to its end and reports its first broken link. Returns the number of links. */
async function followChain(engine: Engine, evidences: readonly EvidenceSpec[], clientId: number, tell: Tell) {
  let end: ChainEnd = CHAIN_START
  let links = 0
  let broken = false
  for (;;) {
    const page = await readChainLinksAfter(engine.db.read, clientId, end.place, PAGE)
    for (const link of page) {
      const why: string | undefined = broken ? undefined : findChainLinkError(link, end)
      if (why) tell(await breakFinding(engine, evidences, clientId, link, why))
      broken ||= why !== undefined
      end = link
    }
    links += page.length
    if (page.length < PAGE) return links
  }
}

/**
 * Creates a finding for the link that breaks a chain. It names the record in the link or, if the record is missing too,
 * the record's type and ID.
 */
async function breakFinding(
  engine: Engine,
  evidences: readonly EvidenceSpec[],
  clientId: number,
  { place, event, subjectType, subjectId }: Omit<ChainLink, 'subject'>,
  untrue: string,
): Promise<EvidenceFinding> {
  const of = evidences.find((one) => one.of.type === subjectType)
  const row = of && (await readRowsById(engine.db.read, clientId, of, [subjectId])).get(subjectId)
  const about = of && row ? of.named(row) : `${subjectType} ${subjectId}`
  return { clientId, subjectType, subjectId, named: `Entry ${place} of the chain ("${event}" of ${about})`, untrue }
}

/** Replays the links for each record and compares the result with the stored record. */
async function compareRecords(engine: Engine, evidences: readonly EvidenceSpec[], clientId: number, tell: Tell) {
  const known = new Map(evidences.map((of) => [of.of.type, of]))
  const bytes = new FileByteChecker(await fileStoreFor(engine.config))
  let open: RecordReplayer | undefined
  let after: ChainLink | undefined
  for (;;) {
    const logs: ChainLink[] = []
    const { page, told } = await engine.db.snapshot(async (db) => {
      const page = await readChainLinksByRecord(db, clientId, after, PAGE)
      const done: RecordReplayer[] = []
      for (const link of page) {
        if (open?.of.of.type !== link.subjectType || open.id !== link.subjectId) {
          if (open) done.push(open)
          const of = known.get(link.subjectType)
          open = of && new RecordReplayer(of, link.subjectId)
          if (isLogLink(link)) logs.push(link)
          else if (!of) tell(unknownType(clientId, link))
        }
        open?.add(link)
      }
      if (open && page.length < PAGE) done.push(open)
      const found = await readStoredEvidence(db, clientId, done)
      return { page, told: done.map((replay, i) => ({ replay, found: found[i] as StoredEvidence })) }
    })
    for (const { replay, found } of told) {
      const { of, id } = replay
      // Uses the sealed values to name the record, because its current name may have been changed.
      const named = of.named({ id, ...found.row, ...replay.columns })
      const untrue = [...findRecordMismatches(replay, found), ...(await bytes.untruths(replay))]
      for (const sentence of untrue) tell({ clientId, subjectType: of.of.type, subjectId: id, named, untrue: sentence })
    }
    for (const link of logs) {
      const mismatch = await findLogMismatch(engine, clientId, link)
      if (mismatch) tell(mismatch)
    }
    after = page.at(-1)
    if (page.length < PAGE) return
  }
}

const unknownType = (clientId: number, { place, subjectType, subjectId }: ChainLink): EvidenceFinding => ({
  clientId,
  subjectType,
  subjectId,
  named: `Entry ${place} of the chain`,
  untrue: `the entry refers to an unknown type, ${subjectType}`,
})

/** Reports records that are marked as sealed but have no link in the chain. */
async function findUnsealed(engine: Engine, of: EvidenceSpec, clientId: number, tell: Tell): Promise<void> {
  const { type, table } = of.of
  const unsealed = `SELECT t.id, to_jsonb(t) AS row FROM ${table} t WHERE t.client_id = $1 AND t.id > $2 AND (${of.claims})
    AND NOT EXISTS (SELECT 1 FROM seal s WHERE s.client_id = t.client_id AND s.subject_type = $3 AND s.subject_id = t.id)
    ORDER BY t.id LIMIT ${PAGE}`
  for (let after = 0; ; ) {
    const page = await engine.db.read.rows<{ id: number; row: StoredColumnValues }>(unsealed, [clientId, after, type])
    for (const { id, row } of page)
      tell({
        clientId,
        subjectType: type,
        subjectId: id,
        named: of.named(row),
        untrue: 'the chain has no entry for it',
      })
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    after = last.id
  }
}

/** Reports records that differ from the rows from which they follow. */
async function runChecks(engine: Engine, of: EvidenceSpec, clientId: number, tell: Tell): Promise<void> {
  for (const { text, untrue } of of.checks ?? []) {
    const found = await engine.db.tx('system', (tx) => tx.rows<StoredColumnValues>(text, [clientId]))
    const ids = found.map(({ id }) => Number(id))
    const rows = ids.length ? await readRowsById(engine.db.read, clientId, of, ids) : undefined
    for (const [n, id] of ids.entries()) {
      const row = rows?.get(id)
      const subject = { clientId, subjectType: of.of.type, subjectId: id }
      tell({
        ...subject,
        named: row ? of.named(row) : `${of.of.type} ${id}`,
        untrue: untrue(found[n] as StoredColumnValues),
      })
    }
  }
}

interface EvidenceReport {
  readonly clients: number
  readonly links: number
  /** One sentence for each mismatch, with the client's name. */
  readonly broken: readonly string[]
}

/** Verifies the evidence of every client, or of one client: the chains, the sealed records and the signed heads. */
export async function verifyEvidence(engine: Engine, clientId?: number): Promise<EvidenceReport> {
  const clients = await findClientsWithEvidence(engine, clientId)
  const broken: string[] = []
  let links = 0
  for (const { id, company } of clients) {
    const proof = await verifyClientEvidence(engine, id)
    links += proof.links
    broken.push(...proof.findings.map((finding) => inClient(finding, company)))
  }
  const companies = new Map(clients.map(({ id, company }) => [id, company]))
  for (const finding of await verifyChainHeads(engine, clientId))
    broken.push(inClient(finding, companies.get(finding.clientId) ?? 'without evidence'))
  return { clients: clients.length, links, broken }
}

const inClient = (finding: EvidenceFinding, company: string) =>
  `Client ${finding.clientId} (${company}), ${formatEvidenceFinding(finding)}`

/**
 * Finds the clients that have a chain or records marked as sealed. If `clientId` is given, only that client is checked.
 */
export async function findClientsWithEvidence(engine: Engine, clientId?: number) {
  const claims = registryOf(engine).evidence.map(
    ({ of, claims: some }) => `EXISTS (SELECT 1 FROM ${of.table} t WHERE t.client_id = c.id AND (${some}))`,
  )
  const has = ['EXISTS (SELECT 1 FROM seal s WHERE s.client_id = c.id)', ...claims].join(' OR ')
  return engine.db.read.rows<{ id: number; company: string }>(
    `SELECT c.id, c.company FROM client c WHERE ($1::int IS NULL OR c.id = $1) AND (${has}) ORDER BY c.id`,
    [clientId ?? null],
  )
}
