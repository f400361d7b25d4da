import { Problem } from '#kernel/errors.ts'
import { createBearerActor } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { client } from '#modules/portal/clients/client.ts'
import { linkLogoRoute, readLetterhead } from '#modules/portal/letterhead/letterhead.server.ts'
import { findPackState } from '#modules/portal/packs/routes.server.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import { openSecretLink } from '#server/engine/secret-links.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { employee } from '../employees/employee.ts'
import {
  type Contract,
  contract,
  type LinkedContract,
  reasonFields,
  signatureFields,
  UNSIGNED_STATES,
} from './contract.ts'
import { contractPdfResponse } from './print.server.ts'
import { declineContract, openContract, signContract } from './signing.server.ts'

const AT = '/api/employees/linked_contracts/{token}'

/** Author of a signature by link. It contains a space, which no username can. */
const EMPLOYEE_BY_LINK = 'by link'

/** Days after the countersignature for which the link still shows the contract. */
const COMPLETE_LINK_DAYS = 30

interface FollowedLink {
  readonly clientId: number
  readonly company: string
  readonly row: Contract
  /** Reason why the link shows nothing any more; empty otherwise. */
  readonly sentence: string
}

const ENDED_SENTENCES: Readonly<Partial<Record<Contract['state'], string>>> = {
  declined: 'You have declined this contract.',
  expired: 'The last day to sign this contract has passed.',
  cancelled: 'This contract was withdrawn and can’t be signed any more.',
}

/** Returns the reason why a link is closed; empty if it is open. */
function closedSentence(row: Contract, now: RouteContext['now'], company: string): string {
  const today = londonDate(now)
  const ask = `If you have any questions, please contact ${company}.`
  const isUnsigned = UNSIGNED_STATES.some((one) => one === row.state)
  const state = isUnsigned && row.signUntil < today.toString() ? 'expired' : row.state
  const sentence = ENDED_SENTENCES[state]
  if (sentence) return `${sentence} ${ask}`
  const isOver =
    row.countersignedAt &&
    londonDate(Temporal.Instant.from(row.countersignedAt)).add({ days: COMPLETE_LINK_DAYS }).toString() <
      today.toString()
  return isOver ? `This link has ended. To get your contract again, please contact ${company}.` : ''
}

/** Resolves a link. Throws 404, without details, if the link is unknown or its company has left. */
const resolveLink = (engine: Engine, token: string | undefined): Promise<FollowedLink> =>
  openSecretLink(engine, token, 'open the link of a contract', async (c, { clientId, id, hasHash }) => {
    const [row, ours] = [await c.get(contract, id), await c.get(client, clientId)]
    if (!row?.hashes.some(hasHash) || !ours || ours.retired) return undefined
    const { company } = ours
    const of = await c.get(employee, row.employee)
    const isActive = (await findPackState(c, clientId, 'employees')) === 'active' && of?.retired === false
    const sentence = isActive
      ? closedSentence(row, engine.clock.now(), company)
      : `${company} can’t receive signatures through this link. Please contact ${company} directly.`
    return { clientId, company, row, sentence }
  })

async function readLinkedContract(engine: Engine, token: string | undefined): Promise<LinkedContract> {
  const { clientId, company, row, sentence } = await resolveLink(engine, token)
  const at = AT.replace('{token}', token ?? '')
  const logo = (await readLetterhead(engine, clientId)).client.logo ? `${at}/logo` : null
  const about = { '@id': at, '@type': 'LinkedContract', company, logo, sentence } as const
  if (sentence) return about
  const { number, title, employeeName, body, digest, signUntil, state, signedAt } = row
  return { ...about, contract: { number, title, employeeName, body, digest, signUntil, state, signedAt } }
}

/** Runs an operation on the locked contract as the employee who holds a link. Throws 410 if the link is closed. */
async function runAsEmployee(c: RouteContext, act: (unit: Context, row: Contract) => Promise<void>) {
  const { engine, params, request } = c
  const { clientId, company, row: found, sentence } = await resolveLink(engine, params.token)
  if (sentence) throw new Problem(410, sentence)
  const bearer = createBearerActor(clientId, { username: EMPLOYEE_BY_LINK, name: `${found.employeeName} by link` }, [
    { type: contract.type, id: found.id, verbs: ['read'] },
  ])
  const change = { actor: bearer, requestId: request.id, resource: contract, id: found.id }
  return engine.inTenant(clientId, change, async (unit) => {
    const row = await unit.lock(contract, found.id)
    const closed = closedSentence(row, unit.now, company)
    if (closed) throw new Problem(410, closed)
    await act(unit, row)
    return async () => ({ ...(await readLinkedContract(engine, params.token)) })
  })
}

export const linkedContractRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: AT,
    title: 'Get the contract behind the link of an employee',
    allow: 'anonymous',
    handle: async (c) => ({ ...(await readLinkedContract(c.engine, c.params.token)) }),
  },
  {
    method: 'POST',
    path: `${AT}/opened`,
    title: 'Record that an employee has opened the link of a contract',
    allow: 'anonymous',
    refuses: [410],
    handle: (c) => runAsEmployee(c, openContract),
  },
  routeWithInput(signatureFields, {
    method: 'POST',
    path: `${AT}/sign`,
    title: 'Sign a contract by link',
    allow: 'anonymous',
    refuses: [409, 410, 422],
    handle: (c) => runAsEmployee(c, (unit, row) => signContract(unit, row, { ...c.input, device: c.request }, true)),
  }),
  routeWithInput(reasonFields, {
    method: 'POST',
    path: `${AT}/decline`,
    title: 'Decline a contract by link',
    allow: 'anonymous',
    refuses: [409, 410, 422],
    handle: (c) => runAsEmployee(c, (unit, row) => declineContract(unit, row, c.input.reason)),
  }),
  linkLogoRoute(AT, 'that sent a contract', resolveLink),
  {
    method: 'GET',
    path: `${AT}/contract.pdf`,
    title: 'Get a complete contract behind the link of an employee as a PDF',
    allow: 'anonymous',
    refuses: [409, 410],
    file: ['application/pdf'],
    handle: async ({ engine, params }) => {
      const { clientId, row, sentence } = await resolveLink(engine, params.token)
      if (sentence) throw new Problem(410, sentence)
      return contractPdfResponse(engine, clientId, row)
    },
  },
]
