import type { Evidence, StoredColumns } from '#kernel/evidence.ts'
import { registryOf } from '#server/engine/registry.ts'
import type { Engine } from '#server/engine/types.ts'
import { storeOf } from '#server/files/store.ts'
import { Bytes } from './bytes.ts'
import { linksAfter, linksByRecord } from './chain.ts'
import { type Found, untruths } from './compare.ts'
import type { Finding } from './finding.ts'
import { readFound, readRows } from './found.ts'
import { breakOf, type End, type Link, START } from './link.ts'
import { Replaying } from './replay.ts'

/** Links read at a time, so that memory use does not grow with the chain. */
const PAGE = 500
/** Most findings reported per client. */
const MOST = 200

/** Result of verifying one client's chain. */
export interface ClientProof {
  readonly links: number
  readonly findings: readonly Finding[]
}

type Tell = (finding: Finding) => void

/** Verifies the chain of one client, and that each of its records matches its links. */
export async function verifyClient(engine: Engine, clientId: number): Promise<ClientProof> {
  const evidences = registryOf(engine).evidence
  const findings: Finding[] = []
  const tell: Tell = (finding) => void (findings.length < MOST && findings.push(finding))
  const links = await followChain(engine, evidences, clientId, tell)
  await compareRecords(engine, evidences, clientId, tell)
  for (const of of evidences) await findUnsealed(engine, of, clientId, tell)
  return { links, findings }
}

/** Follows the chain to its end and reports its first break. Returns the number of links. */
async function followChain(engine: Engine, evidences: readonly Evidence[], clientId: number, tell: Tell) {
  let end: End = START
  let links = 0
  let broken = false
  for (;;) {
    const page = await linksAfter(engine.db.read, clientId, end.place, PAGE)
    for (const link of page) {
      const why: string | undefined = broken ? undefined : breakOf(link, end)
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
  evidences: readonly Evidence[],
  clientId: number,
  { place, event, subjectType, subjectId }: Omit<Link, 'subject'>,
  untrue: string,
): Promise<Finding> {
  const of = evidences.find((one) => one.of.type === subjectType)
  const row = of && (await readRows(engine.db.read, clientId, of, [subjectId])).get(subjectId)
  const about = of && row ? of.named(row) : `${subjectType} ${subjectId}`
  return { clientId, subjectType, subjectId, named: `Entry ${place} of the chain ("${event}" of ${about})`, untrue }
}

/** Replays the links of each record and compares the result with the stored record. */
async function compareRecords(engine: Engine, evidences: readonly Evidence[], clientId: number, tell: Tell) {
  const known = new Map(evidences.map((of) => [of.of.type, of]))
  const bytes = new Bytes(await storeOf(engine.config))
  let open: Replaying | undefined
  let after: Link | undefined
  for (;;) {
    const { page, told } = await engine.db.snapshot(async (db) => {
      const page = await linksByRecord(db, clientId, after, PAGE)
      const done: Replaying[] = []
      for (const link of page) {
        if (open?.of.of.type !== link.subjectType || open.id !== link.subjectId) {
          if (open) done.push(open)
          const of = known.get(link.subjectType)
          open = of && new Replaying(of, link.subjectId)
          if (!of) tell(unknownType(clientId, link))
        }
        open?.add(link)
      }
      if (open && page.length < PAGE) done.push(open)
      const found = await readFound(db, clientId, done)
      return { page, told: done.map((replay, i) => ({ replay, found: found[i] as Found })) }
    })
    for (const { replay, found } of told) {
      const { of, id } = replay
      // The record's name is sealed too.
      const named = of.named({ id, ...found.row, ...replay.columns })
      const untrue = [...untruths(replay, found), ...(await bytes.untruths(replay))]
      for (const sentence of untrue) tell({ clientId, subjectType: of.of.type, subjectId: id, named, untrue: sentence })
    }
    after = page.at(-1)
    if (page.length < PAGE) return
  }
}

const unknownType = (clientId: number, { place, subjectType, subjectId }: Link): Finding => ({
  clientId,
  subjectType,
  subjectId,
  named: `Entry ${place} of the chain`,
  untrue: `it refers to an unknown type, ${subjectType}`,
})

/** Reports records that are marked as sealed but have no link in the chain. */
async function findUnsealed(engine: Engine, of: Evidence, clientId: number, tell: Tell): Promise<void> {
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
