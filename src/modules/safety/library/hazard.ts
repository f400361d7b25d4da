import { choice, flag, link, longText, strings, text, unixSeconds } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { client } from '#modules/portal/clients/client.ts'
import { keepBothField } from '../statements/keep-both-flag.ts'
import { templateKey } from '../statements/statement.ts'

/** The hierarchy of control, most effective first. */
export const CONTROL_TIERS = [
  { value: 'eliminate', label: 'Eliminate' },
  { value: 'substitute', label: 'Substitute' },
  { value: 'engineering', label: 'Engineering' },
  { value: 'administrative', label: 'Administrative' },
  { value: 'ppe', label: 'PPE' },
] as const

export type ControlHierarchyTier = (typeof CONTROL_TIERS)[number]['value']

/** Returns the label of a tier; empty for an unknown tier. */
export const controlTierLabel = (tier: unknown): string => CONTROL_TIERS.find((t) => t.value === tier)?.label ?? ''

/** Roles that can edit their company's library. ROLE_CLIENTS_ADMIN manages the provider's templates. */
const KEEPERS = ['ROLE_RISK_CREATE_UNRESTRICTED', 'ROLE_CLIENTS_ADMIN'] as const

const library = {
  service: 'safety',
  tenant: 'own or template',
  pack: 'safety',
  title: 'name',
  order: ['name'],
  allow: { read: 'member', create: KEEPERS, update: KEEPERS, whileImpersonating: ['create', 'update'] },
} as const

const owner = link(() => client, { column: 'client_id', readonly: true, filter: true })

/** Group of hazards, such as "Work at height". */
export const hazardGroup = resource({
  ...library,
  type: 'HazardGroup',
  path: 'hazard_groups',
  table: 'hazard_group',
  unpaginated: true,
  fields: {
    name: text({ required: 'Please enter a name for this hazard group', filter: 'partial', order: true }),
    client: owner,
    templateKey,
    retired: flag({ filter: true }),
  },
})

/**
 * A hazard in the library. If industries are given, the hazard is listed first for those industries; otherwise it
 * applies to every industry.
 */
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
    industries: strings({ default: [], filter: true, help: 'Leave empty for all industries.' }),
    client: owner,
    templateKey,
    author: text({ readonly: true, stamp: 'author' }),
    changedOn: unixSeconds({ readonly: true, order: true, filter: true }),
    retired: flag({ filter: true }),
    keepBoth: keepBothField,
  },
})

/** Control of a hazard, with its kind in the hierarchy of control. */
export const hazardControl = resource({
  ...library,
  type: 'HazardControl',
  path: 'hazard_controls',
  table: 'hazard_control',
  fields: {
    hazard: link(() => hazard, { required: true, filter: true }),
    name: text({ required: 'Must have a name', filter: 'partial', order: true }),
    description: longText({ default: '' }),
    tier: choice(CONTROL_TIERS, {
      filter: true,
      label: 'Control type',
      help: 'Position in the hierarchy of control: the higher, the better the protection.',
    }),
    client: owner,
    templateKey,
    author: text({ readonly: true, stamp: 'author' }),
    changedOn: unixSeconds({ readonly: true, order: true, filter: true }),
    retired: flag({ filter: true }),
    /** True if the control was retired together with its hazard. Restoring the hazard also restores the control. */
    retiredWithHazard: flag({ editable: 'nobody' }),
    keepBoth: keepBothField,
  },
})
