import { date, email, flag, integer, link, phone, text } from '#kernel/fields.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { defineAccountRecordRelation } from '#modules/identity/people/account-record.ts'
import { user } from '#modules/identity/people/user.ts'

/**
 * A person who works leads, or a tray for leads (after5, dead, duplicates, baddetails). The database keeps a person's
 * record in step with their account (migration 0196). Records are identified by ID or username.
 */
export const staff = resource({
  type: 'Staff',
  service: 'crm',
  path: 'staff',
  table: 'staff',
  tenant: 'own',
  title: 'name',
  alias: 'username',
  order: ['name'],
  bulk: ['retire'],
  unpaginated: true,
  fields: {
    username: text({ required: true, filter: true, order: true }),
    name: text({ required: true, filter: 'partial', order: true }),
    user: link(() => user, { filter: true }),
    telephone: phone({ default: '' }),
    email: email({ default: '', label: 'E-mail' }),
    callsPerDay: integer({
      default: 40,
      min: 0,
      max: 500,
      label: 'Daily call target',
      help: 'Shown next to the number of calls made today.',
    }),
    mostLeads: integer({
      min: 0,
      max: 100_000,
      label: 'Maximum leads',
      help: 'Maximum number of open leads when leads are assigned evenly. Leave empty for no limit.',
    }),
    awayUntil: date({
      filter: true,
      label: 'Away until',
      help: 'The last day of the absence. Until then, the team takes over this person’s callbacks.',
    }),
    /** Person who takes over the leads, set when a member of staff leaves and cleared when they return. */
    handTo: link((): Resource => staff, { label: 'Leads handed over to' }),
    handToTeam: flag({ label: 'Leave their leads unassigned' }),
    tray: flag({ filter: true, readonly: true }),
    retired: flag({ filter: true }),
  },
  allow: { read: 'ROLE_STAFF', create: 'ROLE_LEADS_ADMIN', update: 'ROLE_LEADS_ADMIN' },
})

export const staffAccount = defineAccountRecordRelation({
  resource: staff,
  account: 'user',
  follows: ['name', 'username'],
  role: 'ROLE_STAFF',
  holds: 'their leads and notes',
})
