import { problem, violation } from '#kernel/errors.ts'
import { type Actor, authorOf } from '#kernel/roles.ts'
import { parseSignature, type SignatureValue, signatureProblems } from '#kernel/signature.ts'
import { londonDate } from '#kernel/time.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { RequestDetails, Route } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import type { Context } from '#server/engine/types.ts'
import { sealEvent } from '#server/evidence/seal.ts'
import { employee } from '../employees/employee.ts'
import { EMPLOYEE_READER_ROLES } from '../rights.ts'
import {
  type Contract,
  type ContractParty,
  type ContractSignature,
  contract,
  contractCompleted,
  signatureFields,
  UNSIGNED_STATES,
} from './contract.ts'
import { resendContract } from './deliver.server.ts'
import { contractEvidence } from './evidence.ts'
import { notifyCountersigner, notifyEnd } from './notify.server.ts'

/** A signature as it was sent, and the device that sent it. */
export interface SignatureInput {
  readonly digest: string
  readonly signature: SignatureValue
  readonly device: Pick<RequestDetails, 'address' | 'agent'>
}

const MAX_AGENT_CHARACTERS = 500

const isUnsigned = ({ state }: Contract): boolean => UNSIGNED_STATES.some((one) => one === state)

/** IDs of the accounts that act: the effective one and, while impersonating, that of the real person. */
const actingAccounts = ({ userId, original }: Actor): number[] => [userId, ...(original ? [original.userId] : [])]

/** Returns the signature to store. Throws 409 if another text was on the screen, and 422 if the signature is not valid. */
function readSignature(
  c: Context,
  row: Contract,
  { digest, signature, device }: SignatureInput,
  byLink: boolean,
): ContractSignature {
  if (digest !== row.digest)
    throw problem.conflict('This is not the contract that was sent to you. Please load the page again and read it.')
  const given = parseSignature(signature)
  if (!given) throw problem.invalid([violation('signature', 'The signature is not valid. Please sign again')])
  const wrong = signatureProblems(given)
  if (wrong.length) throw problem.invalid(wrong)
  return {
    ...given,
    at: c.now.toString({ smallestUnit: 'second' }),
    username: byLink ? '' : c.actor.username,
    email: byLink ? row.email : '',
    address: device.address,
    agent: device.agent.slice(0, MAX_AGENT_CHARACTERS),
    digest,
  }
}

/** Signs a locked contract as its employee. Throws 409 once it is signed, ended or past its last day. */
export async function signContract(c: Context, row: Contract, input: SignatureInput, byLink: boolean): Promise<void> {
  if (!isUnsigned(row))
    throw problem.conflict(
      row.signature ? 'This contract is already signed.' : 'This contract can’t be signed any more.',
      'wrong_state',
    )
  if (row.signUntil < londonDate(c.now).toString())
    throw problem.conflict('The last day to sign this contract has passed. Please ask for a new one.', 'wrong_state')
  const signature = readSignature(c, row, input, byLink)
  await c.set(
    contract,
    row,
    { state: 'signed', signature, signedAt: c.now.toString(), openedAt: row.openedAt ?? c.now.toString() },
    'sign',
  )
  await sealEvent(c, contractEvidence, { event: 'signed', id: row.id })
  await notifyCountersigner(c, row)
}

export async function countersignContract(c: Context, row: Contract, input: SignatureInput): Promise<void> {
  const signer = await c.get(employee, row.employee)
  const [accounts, former] = [actingAccounts(c.actor), row.signature?.username]
  if (
    (signer?.user && accounts.includes(signer.user)) ||
    former === c.actor.username ||
    (former && former === authorOf(c.actor).username)
  )
    throw problem.forbidden('Another person countersigns your own contract.')
  if (row.state !== 'signed')
    throw problem.conflict(
      row.state === 'complete'
        ? 'This contract is already countersigned.'
        : 'The employee has not signed this contract.',
      'wrong_state',
    )
  const countersignature = readSignature(c, row, input, false)
  const at = c.now.toString()
  await c.set(contract, row, { state: 'complete', countersignature, countersignedAt: at }, 'countersign')
  await sealEvent(c, contractEvidence, { event: 'countersigned', id: row.id })
  await notifyEnd(c, row, true)
  await c.emit(contractCompleted, { contract: row.id })
}

/** Ends a locked contract with a reason. */
export async function endContract(
  c: Context,
  row: Contract,
  state: 'declined' | 'cancelled' | 'expired',
  reason = '',
): Promise<void> {
  const endedBy = state === 'expired' ? null : authorOf(c.actor).username
  await c.set(contract, row, { state, reason, endedBy, endedAt: c.now.toString() }, state)
  await sealEvent(c, contractEvidence, { event: state, id: row.id })
  await notifyEnd(c, row, state === 'cancelled')
}

/** Declines a locked contract as its employee. Throws 409 once it is signed or ended. */
export async function declineContract(c: Context, row: Contract, reason: string): Promise<void> {
  if (!isUnsigned(row)) throw problem.conflict('This contract can’t be declined any more.', 'wrong_state')
  await endContract(c, row, 'declined', reason)
}

/** Records that the employee has opened a locked contract. */
export async function openContract(c: Context, row: Contract): Promise<void> {
  if (!isUnsigned(row) || row.openedAt) return
  await c.set(contract, row, { state: 'opened', openedAt: c.now.toString() }, 'open')
}

export const contractBehaviour = behaviour(contract, {
  actions: {
    decline: async (c) => {
      await declineContract(c, c.row, c.input.reason)
      return {}
    },
    cancel: async (c) => {
      await endContract(c, c.row, 'cancelled', c.input.reason)
      return {}
    },
    resend: async (c) => {
      await c.set(contract, c.row, await resendContract(c, c.row, c.input.days), 'resend')
      await sealEvent(c, contractEvidence, { event: 'sent again', id: c.row.id })
      return {}
    },
    changeCountersigner: async (c) => {
      const countersigner = await requireCountersigner(c, c.input.countersigner, c.row.employee)
      if (countersigner.id === c.row.countersigner) return {}
      await c.set(contract, c.row, { countersigner: countersigner.id }, 'change-countersigner')
      const isSigned = c.row.state === 'signed'
      const event = isSigned ? 'countersigner changed after signing' : 'countersigner changed'
      await sealEvent(c, contractEvidence, { event, id: c.row.id })
      if (isSigned) await notifyCountersigner(c, { ...c.row, countersigner: countersigner.id })
      return {}
    },
  },
})

/** Returns the countersigner. Throws 422 for the employee themselves, and for people who have left or can't sign in. */
export async function requireCountersigner(c: Pick<Context, 'get'>, id: number, employeeId: number | null) {
  const found = await c.get(employee, id)
  const refused = (message: string) => problem.invalid([violation('countersigner', message)])
  if (!found || found.retired) throw refused('This person has left. Please choose somebody else')
  if (found.id === employeeId) throw refused('Nobody countersigns their own contract. Please choose somebody else')
  if (found.user === null) throw refused(`${found.name} has no account to sign in with. Please choose somebody else`)
  return found
}

type SigningParty = 'employee' | 'countersigner'

/** Runs a step of the employee or the countersigner on the locked contract. Throws 403 for everybody else. */
const asParty = (
  party: SigningParty,
  title: string,
  path: string,
  sign: (c: Context, row: Contract, input: SignatureInput) => Promise<void>,
) =>
  routeWithInput(signatureFields, {
    method: 'POST',
    path: `${contract.url}/{id}/${path}`,
    title,
    allow: EMPLOYEE_READER_ROLES,
    of: contract,
    refuses: [409, 422],
    handle: async ({ engine, me, params, input, request, change }) => {
      const id = await engine.idOf(contract, me, params.id)
      return engine.inTenant(me.clientId, change(), async (c) => {
        const row = await c.lock(contract, id)
        const named = await c.get(employee, row[party])
        if (named?.user !== me.userId)
          throw problem.forbidden(
            party === 'employee'
              ? 'Only the employee signs this contract.'
              : 'Only the countersigner countersigns this contract.',
          )
        await sign(c, row, { ...input, device: request })
        return async () => ({ ...(await engine.one(contract, me, id)) })
      })
    },
  })

export const signingRoutes: readonly Route[] = [
  asParty('employee', 'Sign a contract as its employee', 'sign', (c, row, input) => signContract(c, row, input, false)),
  asParty('countersigner', 'Countersign a contract that the employee has signed', 'countersign', countersignContract),
  {
    method: 'GET',
    path: `${contract.url}/{id}/party`,
    title: 'Show whether I am the employee or the countersigner of a contract',
    allow: EMPLOYEE_READER_ROLES,
    handle: async ({ engine, me, params }) => {
      const id = await engine.idOf(contract, me, params.id)
      const { employee: of, countersigner } = await engine.one(contract, me, id)
      const [own] = await engine.readIn(me.clientId, 'people sign their own contracts', (c) =>
        c.find(employee, { user: me.userId, id: [of.id, countersigner.id] }),
      )
      const party: ContractParty['party'] = own ? (own.id === of.id ? 'employee' : 'countersigner') : null
      return { '@id': `${contract.url}/${id}/party`, '@type': 'ContractParty', party }
    },
  },
  {
    method: 'POST',
    path: `${contract.url}/{id}/opened`,
    title: 'Record that the employee has opened their contract',
    allow: EMPLOYEE_READER_ROLES,
    handle: async ({ engine, me, params, change }) => {
      const id = await engine.idOf(contract, me, params.id)
      await engine.one(contract, me, id)
      return engine.inTenant(me.clientId, change(), async (c) => {
        const row = await c.lock(contract, id)
        if ((await c.get(employee, row.employee))?.user === me.userId) await openContract(c, row)
        return () => ({})
      })
    },
  },
]
