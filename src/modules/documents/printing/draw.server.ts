import { hash } from 'node:crypto'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { problem } from '#kernel/errors.ts'
import { clearHiddenFields } from '#kernel/forms/read-answers.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { idFromAnyIri } from '#kernel/iri.ts'
import { createSystemActor, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { toText } from '#kernel/text.ts'
import { readPictures } from '#modules/portal/files/versions.server.ts'
import { readLogo } from '#modules/portal/letterhead/letterhead.server.ts'
import type { Engine } from '#server/engine/types.ts'
import { MissingFileError } from '#server/files/port.ts'
import { fileStoreFor } from '#server/files/store.ts'
import type { DocumentFrame, PdfReferenceList } from '#server/pdf/furniture.ts'
import { renderControlledDocument } from '#server/pdf/furniture.ts'
import type { PackPart } from '#server/pdf/pack.ts'
import { sealDocumentEvent } from '../audit-chain/check.server.ts'
import { additionalAnswers } from '../forms/additional-answers.ts'
import { changedLabels } from '../forms/labels.ts'
import { loadSubmittedRecordForm, withUndeclaredAnswers } from '../forms/routes.server.ts'
import { loadFallbackSettings } from '../settings/settings.server.ts'
import { needsApproval } from '../types/in-force.ts'
import { type DocumentKind, type DocumentRecord, documentRecordTitle } from '../types/kind.ts'
import { type DocumentReferenceValue, referencedTitle, referencesIn } from '../types/reference.ts'
import { isSelfApproved } from '../types/self-approval.ts'
import { toDocumentStatus } from '../types/transitions.ts'
import { formatDocumentValue } from '../types/value-text.ts'
import type { PrintMaterial } from './evidence.server.ts'
import {
  buildHistoryTemplateInput,
  gatherPrintMaterial,
  type NameLookup,
  type PrintedHistory,
  readPrintedHistory,
  usernamesInHistory,
} from './evidence.server.ts'

/**
 * Returns a document's references for printing, without empty lists. A draft's references are printed with the targets'
 * current digests.
 */
const printedReferences = (
  { references }: Pick<DocumentKind, 'references'>,
  record: Readonly<Record<string, unknown>>,
): PdfReferenceList[] =>
  referencesIn(references, record)
    .filter(({ rows }) => rows.length > 0)
    .map(({ label, rows }) => ({ heading: label, rows: rows.flatMap(printed) }))

function printed({ target, file, notes, digest }: DocumentReferenceValue): PdfReferenceList['rows'] {
  const sealedCells = (sealed: string | null | undefined, on: string | null | undefined) => ({
    ...(notes ? { notes } : {}),
    ...((digest ?? sealed) ? { digest: digest ?? sealed ?? '' } : {}),
    ...(on ? { on } : {}),
  })
  if (target)
    return [
      {
        number: target.documentNumber,
        revision: target.revision,
        title: referencedTitle(target),
        ...sealedCells(target.seal, target.completedAt),
      },
    ]
  // Prints the file's own name, because its label can change.
  return file ? [{ number: 'File', title: file.name, ...sealedCells(file.checksum, file.createdAt) }] : []
}

/**
 * Returns what a revision's own form adds to the type's print: changed labels, and completed additional fields by step.
 */
function printableForm(
  { schema: declared }: Pick<DocumentKind, 'schema'>,
  schema: FormSchema,
  record: Values,
): Pick<DocumentFrame, 'labels' | 'further'> {
  const labels = changedLabels(declared, schema)
  const further = additionalAnswers(schema, record).map(({ title, fields }) => ({
    title,
    facts: fields.map(({ field, value }) => ({
      label: field.label,
      ...(field.kind === 'richText' ? { words: { html: String(value) } } : { text: formatDocumentValue(field, value) }),
    })),
  }))
  return { ...(Object.keys(labels).length ? { labels } : {}), ...(further.length ? { further } : {}) }
}

const ROOT = join(import.meta.dirname, '../../../..')

export interface DocumentPrintInput {
  readonly record: DocumentRecord
  readonly evidence: PrintedHistory
  readonly material: PrintMaterial
  /** Records printed with the document, by name. */
  readonly beside: Readonly<Record<string, unknown>>
  /** ID of the client whose rendering quota is used. */
  readonly whose: number
  /** Time of the last event included, as an ISO 8601 instant. */
  readonly asOf?: string
  /** True to throw an error if a picture's bytes are missing, instead of omitting the picture. */
  readonly whole?: boolean
}

export const renderDocumentPdf = async (
  engine: Engine,
  kind: DocumentKind,
  paper: DocumentPrintInput,
): Promise<Buffer> =>
  renderControlledDocument({ ...(await buildPdfTemplateInput(engine, kind, paper)), client: paper.whose })

/** Builds the template input for a document, alone or as part of a pack. */
export async function buildPdfTemplateInput(
  engine: Engine,
  kind: DocumentKind,
  paper: DocumentPrintInput,
): Promise<PackPart> {
  const { record, evidence, material, beside, asOf, whole = false } = paper
  const nameOf = nameIn(material)
  const form = await loadSubmittedRecordForm({ engine }, kind, record)
  const { schema } = form
  const written = await withUndeclaredAnswers(
    engine.db.read,
    form,
    idFromAnyIri(record.client) ?? PROVIDER_CLIENT_ID,
    record,
  )
  const settings = await loadFallbackSettings({ engine }, kind, record)
  const answers: Values = { ...written, ...clearHiddenFields(schema, written), ...settings }
  const { client, brand } = material.letterhead
  const [pictures, logo] = await Promise.all([
    readPictures(engine, material.pictures, whole),
    readLogo(engine, material.letterhead, whole),
  ])
  const images = pictures.map((p) => ({ ...p, alt: p.caption }))
  return {
    template: join(ROOT, kind.pdf.template),
    furniture: {
      ...aboutOf(kind, record, nameOf),
      ...printableForm(kind, schema, answers),
      ...buildHistoryTemplateInput(evidence, kind, nameOf),
      references: printedReferences(kind, record),
      client: { ...client, logo },
      brand,
      ...(asOf ? { asOf } : {}),
    },
    body: kind.pdf.body({ ...answers, industry: { name: material.industry } }, { ...beside, images }),
  }
}

const nameIn =
  ({ names }: PrintMaterial): NameLookup =>
  (username) =>
    names[username ?? ''] || (username ?? '')

function aboutOf(kind: DocumentKind, record: DocumentRecord, nameOf: NameLookup) {
  const { noun } = kind
  const { completedAt, approvedAt, reviewDue, seal } = record
  const said: Readonly<Record<string, unknown>> = record
  const reason = toText(said.reviewReason)
  return {
    number: record.documentNumber,
    revision: record.revision,
    state: toDocumentStatus(record),
    ...(record.isTemplate && (idFromAnyIri(record.client) ?? PROVIDER_CLIENT_ID) === PROVIDER_CLIENT_ID
      ? { template: templateNotice(kind) }
      : {}),
    kindName: noun.charAt(0).toUpperCase() + noun.slice(1),
    title: documentRecordTitle(kind, record) || `Untitled ${noun}`,
    author: nameOf(record.author),
    ...(needsApproval(kind) ? {} : { unapproved: true }),
    createdOn: record.createdAt,
    ...(completedAt ? { completedOn: completedAt } : {}),
    ...(approvedAt
      ? {
          approvedBy: `${nameOf(record.authorUsername)}${isSelfApproved(record) ? ' (author)' : ''}`,
          approvedOn: approvedAt,
        }
      : {}),
    ...(reviewDue ? { reviewDue } : {}),
    ...(record.endedBy && record.endedAt ? { ended: { by: nameOf(record.endedBy), on: record.endedAt } } : {}),
    ...(reason ? { reason } : {}),
    ...(seal ? { seal } : {}),
  }
}

/** Returns the sentence on a template of the provider's. Types with one document per client are confirmed for the company. */
const templateNotice = ({ noun, current }: Pick<DocumentKind, 'noun' | 'current'>): string =>
  `Template. Not a ${noun} until a competent person has confirmed it for the ${current === 'per client' ? 'company' : 'job'}.`

export interface StoredBytes {
  readonly fileKey: string
  /** SHA-256 in hexadecimal. */
  readonly checksum: string
}

/** Stores a client's file under its checksum, so that equal bytes are stored only once. */
export async function storeClientBytes(
  engine: Engine,
  clientId: number,
  what: string,
  bytes: Buffer,
): Promise<StoredBytes> {
  const checksum = hash('sha256', bytes, 'hex')
  const fileKey = `${clientId}/${what}-${checksum}`
  await (await fileStoreFor(engine.config)).put(fileKey, Readable.from([bytes]), bytes.length)
  return { fileKey, checksum }
}

/** Reads stored bytes. `about` describes them in the log. Throws if the bytes are missing or altered. */
export async function readStoredBytes(
  engine: Engine,
  about: Readonly<Record<string, unknown>>,
  { fileKey, checksum }: StoredBytes,
): Promise<Buffer> {
  const store = await fileStoreFor(engine.config)
  const bytes = await store
    .get(fileKey)
    .then(buffer)
    .catch((e: unknown) => {
      if (e instanceof MissingFileError) return undefined
      throw e
    })
  if (bytes && hash('sha256', bytes, 'hex') === checksum) return bytes
  engine.log.error(
    { ...about, fileKey },
    bytes ? 'A stored PDF has been altered' : 'A stored PDF is missing from the file store',
  )
  throw problem.notFound(
    `The stored PDF of this revision is ${bytes ? 'damaged' : 'missing'} in the file store. Please contact your provider, who can restore it from a backup.`,
  )
}

/** State of a sealed revision with its stored PDFs. */
interface SealedRevisionState {
  /** Position in the audit chain of the last event included. */
  readonly stands: number
  /** Time of the last event included, as an ISO 8601 instant. */
  readonly asOf: string
  /** Checksum of the stored PDF for exactly this state. */
  readonly checksum: string | null
  readonly fileKey: string | null
  readonly material: PrintMaterial | null
}

export interface SealedRevisionKey {
  readonly clientId: number
  readonly id: number
}

type PrintedState = SealedRevisionState & StoredBytes

const isPrinted = (standing: SealedRevisionState): standing is PrintedState =>
  standing.fileKey !== null && standing.checksum !== null

/**
 * Ensures that the PDF of a sealed revision's current state is stored, and returns its location. The PDF is rendered
 * once, by the job after the commit or for the first reader. Its bytes are stored in the file store under their
 * checksum, and then the checksum is added to the client's audit chain. If a process crashes in between, the next
 * attempt reuses the bytes.
 */
export async function ensureStoredPrint(
  engine: Engine,
  kind: DocumentKind,
  sealed: SealedRevisionKey,
): Promise<PrintedState> {
  for (;;) {
    const standing = await loadSealedRevisionState(engine, sealed)
    if (!standing) throw problem.notFound()
    if (isPrinted(standing)) return standing
    await makePrint(engine, kind, sealed, standing)
  }
}

export const readStoredPrint = (
  engine: Engine,
  { clientId, id }: SealedRevisionKey,
  printed: PrintedState,
): Promise<Buffer> => readStoredBytes(engine, { clientId, document: id }, printed)

/** Loads the state of a sealed revision. Returns undefined if the revision is not sealed. */
export async function loadSealedRevisionState(
  engine: Engine,
  { clientId, id }: SealedRevisionKey,
): Promise<SealedRevisionState | undefined> {
  const [found] = await engine.db.tx({ clientId }, (tx) =>
    tx.rows<SealedRevisionState>(
      `SELECT t.*, p.checksum, p.file_key AS "fileKey",
         (SELECT m.material FROM document_print m WHERE m.client_id = $1 AND m.document_id = $2 ORDER BY m.id DESC LIMIT 1) AS material
       FROM (SELECT s.place AS stands,
           to_char(s.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "asOf"
         FROM document d JOIN seal s ON s.client_id = d.client_id AND s.document_id = d.id AND s.event NOT IN ('printed', 'answered')
         WHERE d.client_id = $1 AND d.id = $2 AND d.seal IS NOT NULL ORDER BY s.place DESC LIMIT 1) t
       LEFT JOIN document_print p ON p.client_id = $1 AND p.document_id = $2 AND p.stands = t.stands`,
      [clientId, id],
    ),
  )
  return found
}

/** Loads the content for a sealed revision's print, with the external material of its first PDF, if any. */
export async function loadSealedPrintInput(
  engine: Engine,
  kind: DocumentKind,
  { clientId, id }: SealedRevisionKey,
  { material: kept, asOf }: Pick<SealedRevisionState, 'material' | 'asOf'>,
): Promise<DocumentPrintInput> {
  const actor = createSystemActor(clientId, 'render the PDF of a sealed revision')
  const record = await engine.one(kind.resource, actor, id)
  const evidence = await readPrintedHistory(engine, actor, kind, record)
  const material = await gatherPrintMaterial(
    engine,
    kind,
    clientId,
    record,
    usernamesInHistory(evidence),
    kept ?? undefined,
  )
  return { record, evidence, material, beside: {}, whose: clientId, asOf, whole: true }
}

async function makePrint(
  engine: Engine,
  kind: DocumentKind,
  { clientId, id }: SealedRevisionKey,
  standing: SealedRevisionState,
) {
  const { stands } = standing
  const paper = await loadSealedPrintInput(engine, kind, { clientId, id }, standing)
  const pdf = await renderDocumentPdf(engine, kind, paper)
  // Discards the PDF if another event has happened meanwhile, because the PDF would include that event but be stored
  // for the earlier state.
  if ((await loadSealedRevisionState(engine, { clientId, id }))?.stands !== stands) return
  const { checksum, fileKey } = await storeClientBytes(engine, clientId, 'print', pdf)
  const actor = createSystemActor(clientId, 'save the PDF of a sealed revision')
  await engine.inTenant(clientId, { actor, requestId: `print ${id}` }, async (c) => {
    const [added] = await c.work.tx.rows<{ id: number }>(
      `INSERT INTO document_print (client_id, document_id, stands, material, checksum, bytes, file_key, at)
       VALUES ($1, $2, $3, $4::jsonb, $5, $6, $7, $8::timestamptz) ON CONFLICT DO NOTHING RETURNING id`,
      [clientId, id, stands, JSON.stringify(paper.material), checksum, pdf.length, fileKey, c.now.toString()],
    )
    if (added) await sealDocumentEvent(c, 'printed', id, { added: added.id })
    return () => undefined
  })
}
