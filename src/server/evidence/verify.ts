import type { EvidenceSpec, StoredColumns } from '#kernel/evidence.ts'
import { registryOf } from '#server/engine/registry.ts'
import type { Engine } from '#server/engine/types.ts'
import { fileStoreFor } from '#server/files/store.ts'
import { FileByteChecker } from './bytes.ts'
import { readLinksAfter, readLinksByRecord } from './chain.ts'
import { recordMismatches, type StoredEvidence } from './compare.ts'
import type { EvidenceFinding } from './finding.ts'
import { readRowsById, readStoredEvidence } from './found.ts'
import { CHAIN_START, type ChainEnd, type ChainLink, findLinkError } from './link.ts'
import { RecordReplayer } from './replay.ts'

/** Links read at a time, so that memory use does not grow with the chain. */
const PAGE = 500
/** Most findings reported per client. */
const MOST = 200

/** Result of verifying one client's chain. */
export interface ClientVerification {
  readonly links: number
  readonly findings: readonly EvidenceFinding[]
}

type Tell = (finding: EvidenceFinding) => void

/** Verifies the chain of one client, and that each of its records matches its links. */
export async function verifyClientEvidence(engine: Engine, clientId: number): Promise<ClientVerification> {
  const evidences = registryOf(engine).evidence
  const findings: EvidenceFinding[] = []
  const tell: Tell = (finding) => void (findings.length < MOST && findings.push(finding))
  const links = await followChain(engine, evidences, clientId, tell)
  await compareRecords(engine, evidences, clientId, tell)
  for (const of of evidences) await findUnsealed(engine, of, clientId, tell)
  return { links, findings }
}

/** Follows the chain to its end and reports its first break. Returns the number of links. */
async function followChain(engine: Engine, evidences: readonly EvidenceSpec[], clientId: number, tell: Tell) {
  let end: ChainEnd = CHAIN_START
  let links = 0
  let broken = false
  for (;;) {
    const page = await readLinksAfter(engine.db.read, clientId, end.place, PAGE)
    for (const link of page) {
      const why: string | undefined = broken ? undefined : findLinkError(link, end)
      if (why) tell(await breakFinding(engine, evidences, clientId, link, why))
      broken ||= why !== undefined
      end = link
    }
    links += page.length
    if (page.length < PAGE) return links
  }
}

/** Names the record of the link that breaks a chain; by type and id if the record is missing too. */
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

/** Replays the links of each record and compares the result with the stored record. */
async function compareRecords(engine: Engine, evidences: readonly EvidenceSpec[], clientId: number, tell: Tell) {
  const known = new Map(evidences.map((of) => [of.of.type, of]))
  const bytes = new FileByteChecker(await fileStoreFor(engine.config))
  let open: RecordReplayer | undefined
  let after: ChainLink | undefined
  for (;;) {
    const { page, told } = await engine.db.snapshot(async (db) => {
      const page = await readLinksByRecord(db, clientId, after, PAGE)
      const done: RecordReplayer[] = []
      for (const link of page) {
        if (open?.of.of.type !== link.subjectType || open.id !== link.subjectId) {
          if (open) done.push(open)
          const of = known.get(link.subjectType)
          open = of && new RecordReplayer(of, link.subjectId)
          if (!of) tell(unknownType(clientId, link))
        }
        open?.add(link)
      }
      if (open && page.length < PAGE) done.push(open)
      const found = await readStoredEvidence(db, clientId, done)
      return { page, told: done.map((replay, i) => ({ replay, found: found[i] as StoredEvidence })) }
    })
    for (const { replay, found } of told) {
      const { of, id } = replay
      // The record's name is sealed too.
      const named = of.named({ id, ...found.row, ...replay.columns })
      const untrue = [...recordMismatches(replay, found), ...(await bytes.untruths(replay))]
      for (const sentence of untrue) tell({ clientId, subjectType: of.of.type, subjectId: id, named, untrue: sentence })
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
  untrue: `it refers to an unknown type, ${subjectType}`,
})

/** Reports records that are marked as sealed but have no link in the chain. */
async function findUnsealed(engine: Engine, of: EvidenceSpec, clientId: number, tell: Tell): Promise<void> {
  const { type, table } = of.of
  const unsealed = `SELECT t.id, to_jsonb(t) AS row FROM ${table} t WHERE t.client_id = $1 AND t.id > $2 AND (${of.claims})
    AND NOT EXISTS (SELECT 1 FROM seal s WHERE s.client_id = t.client_id AND s.subject_type = $3 AND s.subject_id = t.id)
    ORDER BY t.id LIMIT ${PAGE}`
  for (let after = 0; ; ) {
    const page = await engine.db.read.rows<{ id: number; row: StoredColumns }>(unsealed, [clientId, after, type])
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
