import { registryOf } from '#server/engine/registry.ts'
import type { Engine } from '#server/engine/types.ts'
import { type EvidenceFinding, findingSentence } from './finding.ts'
import { verifyClientEvidence } from './verify.ts'
import { verifyChainHeads } from './verify-heads.ts'

export interface EvidenceReport {
  readonly clients: number
  readonly links: number
  /** One sentence per finding, with the client's name. */
  readonly broken: readonly string[]
}

/** Verifies the evidence of every client, or of one. */
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
  `Client ${finding.clientId} (${company}), ${findingSentence(finding)}`

/** Clients with a chain or with records marked as sealed; only the given client if there is one. */
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
