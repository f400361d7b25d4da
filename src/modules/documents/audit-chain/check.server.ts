import { problem } from '#kernel/errors.ts'
import type { EvidenceSpec } from '#kernel/evidence.ts'
import { defineSavedEvidence } from '#kernel/evidence.ts'
import { instant, integer, text } from '#kernel/fields.ts'
import type { RowOf } from '#kernel/resource.ts'
import { resource } from '#kernel/resource.ts'
import { createSystemActor, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { composeEmail, defineEmail } from '#kernel/system-email.ts'
import { emailRequested } from '#modules/portal/mail/letter.ts'
import { findUsersWithRoles } from '#server/auth/accounts.ts'
import { feature } from '#server/engine/module.ts'
import { registryOf } from '#server/engine/registry.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { chainHeadSigningSchedule } from '#server/evidence/chain.ts'
import { type EvidenceFinding, formatEvidenceFinding } from '#server/evidence/finding.ts'
import { logSealingSchedule } from '#server/evidence/logs.ts'
import { type AddedRow, evidenceAdoption, sealEvent, sealSavedRecords } from '#server/evidence/seal.ts'
import { findClientsWithEvidence, verifyClientEvidence } from '#server/evidence/verify.ts'
import { verifyChainHeads } from '#server/evidence/verify-heads.ts'
import { documentOpening } from '../access-log/document-opening.ts'
import { DOCUMENT_AUTHOR_ROLES } from '../rights.ts'
import { signOffPerson } from '../signoff/sign-off.ts'
import { document } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import type { SealEvent } from '../types/transitions.ts'
import { defineDocumentEvidence } from './document-evidence.ts'
import { evidenceCheck, evidenceFinding } from './outcome.ts'

/** Returns the evidence specification for documents, including the tables of all document types. */
function loadDocumentEvidence(engine: Engine): EvidenceSpec {
  const evidence = registryOf(engine).evidence.find(({ of }) => of.type === document.type)
  if (!evidence) throw new Error('No module declares the document evidence')
  return evidence
}

/** Seals the stored content of a revision that has just been completed. */
export async function sealContent(c: Context, kind: DocumentKind, id: number): Promise<void> {
  const row = await c.get(kind.resource, id)
  if (!row) throw problem.notFound()
  const { documentNumber, revision } = row
  const told = { kind: kind.kind, documentNumber, revision }
  const digest = await sealEvent(c, loadDocumentEvidence(c.engine), { event: 'completed', id, told })
  await c.set(kind.resource, row, { seal: digest }, 'seal')
}

interface About {
  readonly by?: number | undefined
  /** Row that the event adds, such as a signature. */
  readonly added?: AddedRow
  /** The revision, if already loaded. */
  readonly row?: RowOf<typeof document>
}

/** Appends an event for a sealed revision to the audit chain. Does nothing for drafts. */
export async function sealDocumentEvent(
  c: Context,
  event: SealEvent | 'signed' | 'printed' | 'sent' | 'answered',
  id: number,
  { by, added, row: known }: About = {},
) {
  const row = known ?? (await c.get(document, id))
  if (!row?.seal) return
  const { documentNumber, revision, seal } = row
  const told = { documentNumber, revision, seal, by }
  await sealEvent(c, loadDocumentEvidence(c.engine), { event, id, told, ...(added === undefined ? {} : { added }) })
}

/**
 * Signed head of a client's audit chain at a point in time. Any copy of the head can later prove that the chain up to
 * the head's last entry has not changed. `signature` is the Ed25519 signature of the JSON text `["stanchion
 * head",1,CLIENT,ENTRIES,"HASH","SIGNED AT","KEY"]`, in base64url.
 */
const sealHead = resource({
  type: 'SealHead',
  service: 'safety',
  path: 'seal_heads',
  table: 'seal_head',
  appendOnly: true,
  tenant: 'own',
  order: ['-id'],
  fields: {
    entries: integer({ readonly: true, notNull: true, order: true }),
    /** SHA-256 of the last entry included, in hexadecimal. */
    hash: text({ readonly: true, notNull: true }),
    signedAt: instant({ column: 'at', readonly: true, notNull: true }),
    /** Public key, in base64url. */
    key: text({ readonly: true, notNull: true }),
    signature: text({ readonly: true, notNull: true }),
  },
  allow: { read: DOCUMENT_AUTHOR_ROLES },
  pack: 'safety',
})

/** Maximum number of findings listed in an e-mail. The screen shows all findings. */
const MAX_LISTED_FINDINGS = 10

/**
 * Schedule that verifies every client's audit chain each night, saves the result and e-mails the findings that are new
 * or have reappeared.
 */
const auditChainCheck = schedule({
  name: 'evidence.check',
  every: { daily: '02:30' },
  run: async (engine) => {
    const heads = Map.groupBy(await verifyChainHeads(engine), (finding) => finding.clientId)
    const ids = new Set([...(await findClientsWithEvidence(engine)).map(({ id }) => id), ...heads.keys()])
    const failed: Error[] = []
    for (const id of ids)
      await checkClient(engine, id, heads.get(id) ?? []).catch((e: Error) =>
        failed.push(new Error(`client ${id}: ${e.message}`, { cause: e })),
      )
    if (failed[0])
      throw new Error(
        `The audit chains of ${failed.length} clients could not be checked. First error: ${failed[0].message}`,
        {
          cause: failed[0],
        },
      )
  },
})

async function checkClient(engine: Engine, clientId: number, heads: readonly EvidenceFinding[]): Promise<void> {
  const { links, findings } = await verifyClientEvidence(engine, clientId)
  const all = new Map([...findings, ...heads].map((finding) => [formatEvidenceFinding(finding), finding]))
  const actor = createSystemActor(clientId, 'evidence.check')
  await engine.inTenant(clientId, { actor, requestId: 'evidence.check' }, async (c) => {
    const fresh = await keepOutcome(c, links, all)
    if (fresh.length) await tell(c, fresh, all.size)
    return () => undefined
  })
}

/** Saves the result of a check. Returns the findings that are new or have reappeared. */
async function keepOutcome(
  c: Context,
  entries: number,
  findings: ReadonlyMap<string, EvidenceFinding>,
): Promise<string[]> {
  const at = c.now.toString()
  const own = c.withoutPermissionCheck('save the result of an audit chain check')
  await own.create(evidenceCheck, { checkedAt: at, entries, findings: findings.size })
  const known = new Map((await own.lockAll(evidenceFinding, {})).map((row) => [row.sentence, row]))
  const fresh: string[] = []
  for (const [sentence, { subjectType = null, subjectId = null }] of findings) {
    const row = known.get(sentence)
    if (!row) await own.create(evidenceFinding, { sentence, subjectType, subjectId, foundAt: at, lastAt: at })
    else await own.change(evidenceFinding, row, { lastAt: at, gone: false })
    if (!row || row.gone) fresh.push(sentence)
  }
  for (const [sentence, row] of known)
    if (!row.gone && !findings.has(sentence)) await own.change(evidenceFinding, row, { gone: true })
  return fresh
}

interface ChainFindingsFacts {
  /** Texts of the findings that are new or have reappeared. */
  readonly fresh: readonly string[]
  readonly total: number
  readonly publicUrl: string | undefined
}

const chainFindingsEmail = defineEmail<ChainFindingsFacts>({
  name: 'evidence.check',
  title: 'Sealed records changed outside the portal',
  subject: () => 'Sealed records have been changed',
  paragraphs: ({ fresh, total, publicUrl }) => {
    const left = fresh.length - MAX_LISTED_FINDINGS
    return [
      'Sealed records have been changed outside the portal. The portal found this when it compared them with the audit chain:',
      [...fresh.slice(0, MAX_LISTED_FINDINGS), ...(left > 0 ? [`and ${left} more`] : [])]
        .map((line) => `- ${line}`)
        .join('\n'),
      `${total === 1 ? 'One problem was' : `${total} problems were`} found in total. Nothing was corrected automatically. Compare the records with your own copies and backups, and contact the operator of the portal’s database.`,
      publicUrl && `${publicUrl}/dashboard`,
    ]
  },
  sample: {
    fresh: ['The risk assessment RA-00012, revision 2, is not the one that was sealed.'],
    total: 1,
    publicUrl: 'https://portal.example',
  },
})

async function tell(c: Context, fresh: readonly string[], total: number): Promise<void> {
  const { publicUrl } = c.engine.config
  const email = composeEmail(chainFindingsEmail, { fresh, total, publicUrl })
  for (const to of await administrators(c)) await c.emit(emailRequested, { to, ...email })
}

async function administrators(c: Context): Promise<string[]> {
  const roles = c.clientId === PROVIDER_CLIENT_ID ? ['ROLE_CLIENT_ADMIN', 'ROLE_SAFETY_ADMIN'] : ['ROLE_CLIENT_ADMIN']
  const found = await findUsersWithRoles(c.work.tx, c.clientId, roles)
  return [...new Set(found.map(({ email }) => email))].filter((email) => email.includes('@'))
}

/**
 * Evidence of who was excused from signing. Who has signed follows from the sealed signatures, from which the database
 * derives each person's status; the check compares the two.
 */
const signatureStatusEvidence = defineSavedEvidence({
  of: signOffPerson,
  named: ({ user_id }) => `the signature status of user ${Number(user_id)}`,
  claims: 't.excused_at IS NOT NULL',
  without: [
    'document_id',
    'request_id',
    'state',
    'due',
    'asked_at',
    'reminded_at',
    'reminders',
    'revision',
    'signed_at',
    'kind',
    'number',
  ],
  checks: [
    {
      text: `SELECT p.id FROM sign_off_person p WHERE p.client_id = $1 AND p.state = 'signed' AND NOT EXISTS (
        SELECT FROM document d JOIN signature g ON g.client_id = d.client_id AND g.document_id = d.id
        WHERE d.client_id = p.client_id AND d.kind = p.kind AND d.number = p.number AND d.revision = p.revision AND g.user_id = p.user_id)
        ORDER BY p.id LIMIT 100`,
      untrue: () => 'it is marked as signed, but there is no such signature',
    },
    {
      text: "SELECT p.id FROM sign_off_person p WHERE p.client_id = $1 AND p.state = 'excused' AND p.excused_at IS NULL ORDER BY p.id LIMIT 100",
      untrue: () => 'it is marked as excused, but no excuse is recorded',
    },
  ],
})

export const documentAuditChain = (kinds: readonly DocumentKind[]) =>
  feature({
    resources: [sealHead, evidenceCheck, evidenceFinding],
    evidence: [
      defineDocumentEvidence(kinds),
      defineSavedEvidence({ of: documentOpening, named: ({ name }) => `the opening of a document by ${String(name)}` }),
      signatureStatusEvidence,
    ],
    beforeCommit: [sealSavedRecords],
    schedules: [chainHeadSigningSchedule, logSealingSchedule, auditChainCheck],
    emails: [chainFindingsEmail],
    commands: [
      {
        name: 'verify',
        help: '  verify [--client N]         verify sealed documents, their audit chain and the protection of the audit trail tables',
        load: async () => (await import('#server/evidence/command.ts')).verifyEvidenceCommand,
      },
    ],
    referenceData: [evidenceAdoption],
  })
