import { can } from '#kernel/can.ts'
import { strings, text } from '#kernel/fields.ts'
import { iriOf } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { client } from '#modules/portal/clients/client.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import type { Route } from '#server/engine/route.ts'
import { wholeList } from '#server/http/list-route.ts'
import { hazard, hazardControl, hazardGroup } from '../library/hazard.ts'
import { suggestControls, suggestHazardGroups, suggestHazards } from './offered.server.ts'

const linked = (url: string, type: string, id: number, more: ApiRecord): ApiRecord => ({
  '@id': `${url}/${id}`,
  '@type': type,
  id,
  ...more,
})

/** Owner of a row; only the provider can see the owner of templates. */
const ownerOf = (me: Actor, clientId: number) =>
  can(me, 'read', client, { clientId }) ? iriOf(client, clientId) : null

const q = text({ help: 'Words that results must contain.' })
const industry = text({
  help: 'Industry by IRI, id or name, or `own` for the most common one of the client’s own assessments. Its results come first.',
})
const document = text({
  help: 'Assessment being edited, by IRI, id or number. Its existing hazards and controls are left out.',
})
const exclude = strings({ help: 'IRIs or ids to leave out.' })

/** Suggestions for the hazard table in one fast call each: live entries of the client and the templates. */
export const suggestionRoutes: Route[] = [
  {
    method: 'GET',
    path: `${hazard.url}/component_hazards_list`,
    title: 'List hazards to choose from: search results best first, otherwise by group, those of the industry first',
    query: { q, industry, document, exclude, group: strings({ help: 'Only hazards of these groups.' }) },
    listOf: 'objects',
    allow: 'member',
    handle: async (c) =>
      wholeList(
        (await suggestHazards(c)).map((h) =>
          linked(hazard.url, hazard.type, h.id, {
            name: h.name,
            description: h.description,
            group: linked(hazardGroup.url, hazardGroup.type, h.group.id, { name: h.group.name }),
            industries: h.industries,
            fit: h.fit,
            use: h.use,
            client: ownerOf(c.me, h.clientId),
          }),
        ),
      ),
  },
  {
    method: 'GET',
    path: `${hazardControl.url}/component_controls_list`,
    title: 'List controls to choose from for a hazard, most effective type first',
    query: { q, document, exclude, hazard: strings({ help: 'Only controls of these hazards.' }) },
    listOf: 'objects',
    allow: 'member',
    handle: async (c) =>
      wholeList(
        (await suggestControls(c)).map((k) =>
          linked(hazardControl.url, hazardControl.type, k.id, {
            hazard: iriOf(hazard, k.hazardId),
            name: k.name,
            description: k.description,
            tier: k.tier,
            client: ownerOf(c.me, k.clientId),
          }),
        ),
      ),
  },
  {
    method: 'GET',
    path: `${hazardGroup.url}/component_group_list`,
    title: 'List hazard groups to choose from',
    query: { q, industry },
    listOf: 'objects',
    allow: 'member',
    handle: async (c) =>
      wholeList(
        (await suggestHazardGroups(c)).map((g) =>
          linked(hazardGroup.url, hazardGroup.type, g.id, {
            name: g.name,
            hazards: g.hazards,
            client: ownerOf(c.me, g.clientId),
          }),
        ),
      ),
  },
]
