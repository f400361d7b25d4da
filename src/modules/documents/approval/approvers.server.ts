import { readId } from '#kernel/iri.ts'
import { iriOf } from '#kernel/resource.ts'
import { user } from '#modules/identity/people/user.ts'
import { feature } from '#server/engine/module.ts'
import type { Route } from '#server/engine/route.ts'
import { wholeList } from '#server/http/list-route.ts'
import { APPROVERS, AUTHORS } from '../rights.ts'
import { safetySettings } from '../settings/safety-settings.ts'
import type { DocumentKind } from '../types/kind.ts'
import { approveNotice, tellNewApprovers, tellWhoApproves } from './approve-notice.server.ts'
import { decidedNotice, tellWhoWrote } from './decided-notice.server.ts'

/** Who decides what is in force: whoever completes a document is told who will. */
const approversRoute: Route = {
  method: 'GET',
  path: `${safetySettings.url}/{id}/approvers`,
  title: 'Who approves the documents of a company, by name',
  allow: AUTHORS,
  listOf: 'objects',
  handle: async ({ engine, me, params }) => {
    const { id } = await engine.one(safetySettings, me, readId(params.id) ?? -1)
    const people = await engine.readIn(id, 'who approves documents', (c) => c.find(user, { isRetired: false }))
    const approve = people.filter((p) => APPROVERS.some((role) => p.roles.includes(role)))
    return wholeList(
      approve
        .toSorted((a, b) => a.name.localeCompare(b.name))
        .map(({ id: one, name, username }) => ({ '@id': iriOf(user, one), id: one, name, username })),
    )
  },
}

export function approval(kinds: readonly DocumentKind[]) {
  const [toApprove, decided] = [approveNotice(kinds), decidedNotice(kinds)]
  return feature({
    pack: 'safety',
    routes: [approversRoute],
    notifications: [toApprove, decided],
    handlers: [tellWhoApproves(toApprove), tellWhoWrote(decided)],
    schedules: [tellNewApprovers(toApprove)],
  })
}
