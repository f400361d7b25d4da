import { choice, flag, link, longText, strings, text, unixSeconds } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { client } from '#modules/portal/clients/client.ts'
import { keepBoth } from '../statements/keep-both.ts'
import { templateKey } from '../statements/template-key.ts'
import { TIERS } from './tiers.ts'

/** Who adds hazards to their company's library; with ROLE_CLIENTS_ADMIN the provider keeps the templates. */
const KEEPERS = ['ROLE_RISK_CREATE_UNRESTRICTED', 'ROLE_CLIENTS_ADMIN'] as const

const library = {
  service: 'safety',
  tenant: 'own or template',
  pack: 'safety',
  title: 'name',
  order: ['name'],
  allow: { read: 'member', create: KEEPERS, update: KEEPERS },
} as const

const owner = link(() => client, { column: 'client_id', readonly: true, filter: true })

/** A kind of hazard: "Work at height". */
export const hazardGroup = resource({
  ...library,
  type: 'HazardGroup',
  path: 'hazard_groups',
  table: 'hazard_group',
  unpaginated: true,
  fields: {
    name: text({ required: 'Please give this hazard group a name', filter: 'partial', order: true }),
    client: owner,
    templateKey,
    retired: flag({ filter: true }),
  },
})

/** What may hurt somebody. Without industries it is for all of them; with some it ranks first in those. */
export const hazard = resource({
  ...library,
  type: 'Hazard',
  path: 'hazards',
  table: 'hazard',
  fields: {
    name: text({ required: 'Please give this hazard a name', filter: 'partial', order: true, search: true }),
    description: longText({ required: 'Please give this hazard a description', search: true }),
    group: link(() => hazardGroup, {
      required: 'A hazard must be assigned to a group',
      filter: true,
      order: true,
      embed: ['name'],
    }),
    industries: strings({ default: [], filter: true, help: 'Leave empty for every industry.' }),
    client: owner,
    templateKey,
    author: text({ readonly: true, stamp: 'author' }),
    changedOn: unixSeconds({ readonly: true, order: true, filter: true }),
    retired: flag({ filter: true }),
    keepBoth,
  },
})

/** What is done about a hazard, and how far up the hierarchy of control it is. */
export const hazardControl = resource({
  ...library,
  type: 'HazardControl',
  path: 'hazard_controls',
  table: 'hazard_control',
  fields: {
    hazard: link(() => hazard, { required: true, filter: true }),
    name: text({ required: 'Must have a name', filter: 'partial', order: true }),
    description: longText({ default: '' }),
    tier: choice(TIERS, {
      default: 'administrative',
      filter: true,
      label: 'Kind of control',
      help: 'Where it stands in the hierarchy of control: the further up, the better it protects.',
    }),
    client: owner,
    templateKey,
    author: text({ readonly: true, stamp: 'author' }),
    changedOn: unixSeconds({ readonly: true, order: true, filter: true }),
    retired: flag({ filter: true }),
    /** It went with its hazard, and comes back with it. */
    retiredWithHazard: flag({ editable: 'nobody' }),
    keepBoth,
  },
})
