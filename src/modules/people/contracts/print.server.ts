import { create as disposition } from 'content-disposition'
import { problem } from '#kernel/errors.ts'
import { createSystemActor } from '#kernel/roles.ts'
import { toPrintableSignatureDrawing } from '#kernel/signature.ts'
import { LONDON_TIME_ZONE } from '#kernel/time.ts'
import { readStoredBytes, storeClientBytes } from '#modules/documents/printing/draw.server.ts'
import { describeDevice } from '#modules/identity/device-words.ts'
import { readUserNames } from '#modules/identity/people/accounts.server.ts'
import { type Letterhead, readLetterhead, readLogo } from '#modules/portal/letterhead/letterhead.server.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { type Route, RouteResponse } from '#server/engine/route.ts'
import type { Engine } from '#server/engine/types.ts'
import { sealEvent } from '#server/evidence/seal.ts'
import { type PdfPicture, renderControlledDocument } from '#server/pdf/furniture.ts'
import { EMPLOYEE_READER_ROLES } from '../rights.ts'
import { type Contract, type ContractSignature, contract, contractCompleted, contractPrint } from './contract.ts'
import { sendCompleteContract } from './deliver.server.ts'
import { contractPrintEvidence } from './evidence.ts'

/** Formats a time with seconds in London, for the audit page. */
const formatAuditTime = (at: string): string =>
  Temporal.Instant.from(at)
    .toZonedDateTimeISO(LONDON_TIME_ZONE)
    .toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'long' })

interface PrintedSignature {
  readonly role: string
  readonly signature: ContractSignature
  /** Name of the account; empty for a link. */
  readonly account: string
}

const auditRows = ({
  signature: { method, username, email, address, agent, digest, at, name },
  account,
}: PrintedSignature) => [
  { label: 'Name as signed', value: name },
  { label: 'Time', value: formatAuditTime(at) },
  { label: 'Method', value: method === 'typed' ? 'Typed name' : 'Drawn on screen' },
  {
    label: 'Identified by',
    value: username ? `Sign-in to the account of ${account} (${username})` : `Secret link, e-mailed to ${email}`,
  },
  { label: 'Device', value: describeDevice(agent) },
  { label: 'User agent', value: agent },
  { label: 'Network address', value: address },
  { label: 'Digest of the signed text', value: digest },
]

export interface ContractPaper {
  readonly row: Pick<
    Contract,
    | 'number'
    | 'title'
    | 'templateVersion'
    | 'employeeName'
    | 'body'
    | 'digest'
    | 'createdAt'
    | 'author'
    | 'email'
    | 'emailedAt'
    | 'openedAt'
  >
  readonly signatures: readonly PrintedSignature[]
  readonly sender: string
  readonly letterhead: Letterhead
  readonly logo: PdfPicture | undefined
  readonly clientId: number
}

/** Renders a complete contract with its audit page as a tagged PDF. The same contract always gives the same pages. */
export const renderContract = ({
  row,
  signatures,
  sender,
  letterhead,
  logo,
  clientId,
}: ContractPaper): Promise<Buffer> =>
  renderControlledDocument({
    template: new URL('./contract.typ', import.meta.url),
    client: clientId,
    furniture: {
      number: row.number,
      revision: row.templateVersion,
      state: 'current',
      kindName: 'Contract',
      title: row.title,
      client: { ...letterhead.client, logo },
      brand: letterhead.brand,
      author: '',
      createdOn: row.createdAt,
      signatures: signatures.map(({ signature }) => ({
        name: signature.name,
        at: signature.at,
        method: signature.method,
        ...toPrintableSignatureDrawing(signature),
      })),
      history: [],
    },
    body: {
      words: { html: row.body },
      employee: row.employeeName,
      digest: row.digest,
      roles: signatures.map(({ role }) => role),
      events: [
        { label: 'Sent', value: `${formatAuditTime(row.createdAt)}, by ${sender}` },
        ...(row.emailedAt
          ? [{ label: 'E-mail sent', value: `${formatAuditTime(row.emailedAt)}, to ${row.email}` }]
          : []),
        ...(row.openedAt ? [{ label: 'Opened by the employee', value: formatAuditTime(row.openedAt) }] : []),
      ],
      parts: signatures.map((one) => ({ title: one.role, fields: auditRows(one) })),
    },
  })

/** Renders and stores the PDF of a complete contract once, and adds its checksum to the client's audit chain. */
async function storeContractPdf(engine: Engine, clientId: number, row: Contract): Promise<void> {
  const { signature, countersignature } = row
  if (!signature || !countersignature)
    throw problem.conflict('This contract is not signed by both sides yet.', 'wrong_state')
  const usernames = [row.author, signature.username, countersignature.username].flatMap((one) => one || [])
  const names = await readUserNames(engine, clientId, [...new Set(usernames)])
  const nameOf = (username: string | null) => names.get(username ?? '') ?? username ?? ''
  const letterhead = await readLetterhead(engine, clientId)
  const pdf = await renderContract({
    row,
    clientId,
    letterhead,
    logo: await readLogo(engine, letterhead),
    sender: nameOf(row.author),
    signatures: [
      { role: 'Employee', signature, account: nameOf(signature.username) },
      { role: 'For the company', signature: countersignature, account: nameOf(countersignature.username) },
    ],
  })
  const { checksum, fileKey } = await storeClientBytes(engine, clientId, 'contract', pdf)
  const actor = createSystemActor(clientId, 'store the PDF of a contract')
  await engine.inTenant(clientId, { actor, requestId: `contract ${row.id}` }, async (c) => {
    const [added] = await c.work.tx.rows<{ id: number }>(
      `INSERT INTO contract_print (client_id, contract_id, checksum, bytes, file_key, created_at)
       VALUES ($1, $2, $3, $4, $5, $6::timestamptz) ON CONFLICT DO NOTHING RETURNING id`,
      [clientId, row.id, checksum, pdf.length, fileKey, c.now.toString()],
    )
    if (added) await sealEvent(c, contractPrintEvidence, { event: 'printed', id: added.id })
    return () => undefined
  })
}

const findPrint = async (engine: Engine, clientId: number, id: number) =>
  (
    await engine.readIn(clientId, 'read the stored PDF of a contract', (c) => c.find(contractPrint, { contract: id }))
  )[0]

/** Returns the stored PDF of a complete contract. Throws 409 for a contract that is not complete. */
export async function contractPdfResponse(engine: Engine, clientId: number, row: Contract): Promise<RouteResponse> {
  if (row.state !== 'complete') throw problem.conflict('This contract is not signed by both sides yet.', 'wrong_state')
  if (!(await findPrint(engine, clientId, row.id))) await storeContractPdf(engine, clientId, row)
  const print = await findPrint(engine, clientId, row.id)
  if (!print) throw new Error('A PDF was stored and is not there')
  const pdf = await readStoredBytes(engine, { clientId, contract: row.id }, print)
  return new RouteResponse(200, pdf, {
    'content-type': 'application/pdf',
    'content-disposition': disposition(`${row.number} ${row.title}.pdf`, { type: 'inline' }),
    'cache-control': 'private, no-store',
  })
}

export const contractPdfRoute: Route = {
  method: 'GET',
  path: `${contract.url}/{id}/contract.pdf`,
  title: 'Get a complete contract with its audit page as a PDF file',
  allow: EMPLOYEE_READER_ROLES,
  refuses: [409],
  file: ['application/pdf'],
  handle: async ({ engine, me, params }) => {
    const id = await engine.idOf(contract, me, params.id)
    await engine.one(contract, me, id)
    const row = await engine.readIn(me.clientId, 'print a contract', (c) => c.get(contract, id))
    if (!row) throw problem.notFound()
    return contractPdfResponse(engine, me.clientId, row)
  },
}

/** Stores the PDF once both sides have signed. */
export const storePdfOfComplete = eventHandler(contractCompleted, {
  name: 'contract.store-pdf',
  queue: 'events',
  send: async ({ engine, clientId }, { contract: id }) => {
    const row = await engine.readIn(clientId, 'print a contract', (c) => c.get(contract, id))
    if (row && !(await findPrint(engine, clientId, id))) await storeContractPdf(engine, clientId, row)
  },
})

/** Sends an employee without an account the link to the complete contract. */
export const emailComplete = eventHandler(contractCompleted, {
  name: 'contract.email-complete',
  queue: 'events',
  run: async (c, { contract: id }) => {
    const row = await c.get(contract, id)
    if (row) await sendCompleteContract(c, row)
  },
})
