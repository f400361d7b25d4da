import { choice, date, instant, integer, link, longText, text } from '#kernel/fields.ts'
import { type RecordOf, type Resource, resource } from '#kernel/resource.ts'
import { defineSequence } from '#kernel/sequence.ts'
import { employee } from '#modules/people/employees/employee.ts'
import { IN_SERVICE } from '#modules/people/employees/employee-fields.ts'
import { incidentSite } from '#modules/people/sites/incident-site.ts'
import { storedFileFields } from '#modules/portal/files/uploaded-document.ts'
import { EQUIPMENT_READER_ROLES, EQUIPMENT_ROLES } from '../rights.ts'
import { equipmentCategory } from './category.ts'

export const equipmentNumberSequence = defineSequence({
  name: 'equipment',
  prefix: 'EQ-',
  per: 'client',
  gapless: true,
  digits: 4,
})

const LIFECYCLES = [
  { value: 'in use', label: 'In use' },
  { value: 'in store', label: 'In store' },
  { value: 'on hire', label: 'On hire' },
  { value: 'sold', label: 'Sold' },
  { value: 'scrapped', label: 'Scrapped' },
] as const

/** Lifecycles of items that the company still has. */
const PRESENT = ['in use', 'in store', 'on hire'] as const

export const FITNESS = [
  { value: 'out of service', label: 'Out of service' },
  { value: 'overdue', label: 'Check overdue' },
  { value: 'due', label: 'Check due' },
  { value: 'no checks', label: 'No checks required' },
  { value: 'fit', label: 'Fit' },
] as const
export type Fitness = (typeof FITNESS)[number]['value']

const reason = longText({ required: 'Please give a reason', max: 1000, label: 'Reason' })

/**
 * Item of equipment. Its lifecycle changes only by actions; its fitness is calculated from checks and defects.
 */
export const equipmentItem = resource({
  type: 'EquipmentItem',
  service: 'safety',
  path: 'equipment_items',
  table: 'equipment_item',
  tenant: 'own',
  title: 'name',
  order: ['number'],
  state: 'lifecycle',
  bulk: ['owner', 'maker', 'putInStore'],
  pack: 'safety',
  fields: {
    number: text({
      default: '',
      max: 40,
      stripInvisible: true,
      filter: true,
      search: true,
      order: true,
      help: 'Your own number. If it is empty, the next number is used.',
    }),
    name: text({ required: 'Please enter a name', max: 200, stripInvisible: true, search: true, order: true }),
    category: link(() => equipmentCategory, { embed: ['name'], filter: true, offers: IN_SERVICE }),
    maker: text({ default: '', max: 120, stripInvisible: true, search: true }),
    serialNumber: text({ default: '', max: 120, stripInvisible: true, search: true }),
    owner: text({
      default: '',
      max: 200,
      stripInvisible: true,
      help: 'Company to which it belongs. Empty if it is your own.',
    }),
    site: link(() => incidentSite, { embed: ['name'], filter: true, offers: IN_SERVICE }),
    holder: link(() => employee, { embed: ['name'], filter: true, offers: IN_SERVICE }),
    parent: link((): Resource => equipmentItem, { filter: true, label: 'Part of' }),
    purchasedOn: date({ label: 'Purchased on' }),
    safeWorkingLoad: text({ default: '', max: 100, label: 'Safe working load' }),
    hiredFrom: date({ label: 'Hired from' }),
    hiredUntil: date({ filter: true, label: 'Hired until' }),
    hoursUsed: integer({ min: 0, max: 1_000_000, label: 'Hours of use' }),
    notes: longText({ default: '', max: 4000 }),
    lifecycle: choice(LIFECYCLES, {
      readonly: true,
      default: 'in use',
      notNull: true,
      filter: true,
      label: 'Lifecycle',
    }),
    fitness: choice(FITNESS, {
      readonly: true,
      notNull: true,
      filter: true,
      sql: 'equipment_fitness(t.client_id, t.id)',
    }),
    nextCheckOn: date({ readonly: true, sql: 'equipment_next_check(t.client_id, t.id)', label: 'Next check' }),
    /** Secret of the address on the item's QR label. */
    labelSecret: text({ readonly: true, visible: 'nobody', default: '', notNull: true }),
    author: text({ readonly: true, notNull: true, stamp: 'author', label: 'Added by' }),
    createdAt: instant({ readonly: true, notNull: true, label: 'Added' }),
  },
  allow: { read: EQUIPMENT_READER_ROLES, create: EQUIPMENT_ROLES, update: EQUIPMENT_ROLES },
  actions: {
    putInUse: {
      path: 'put-in-use',
      title: 'Put in use',
      allow: EQUIPMENT_ROLES,
      from: ['in store', 'on hire'],
      to: 'in use',
      input: {},
    },
    putInStore: {
      path: 'put-in-store',
      title: 'Put in store',
      allow: EQUIPMENT_ROLES,
      from: ['in use', 'on hire'],
      to: 'in store',
      input: {},
    },
    hire: {
      path: 'hire',
      title: 'Record a hire',
      allow: EQUIPMENT_ROLES,
      from: PRESENT,
      to: 'on hire',
      input: {
        hiredFrom: date({ required: 'Please enter the first day', label: 'Hired from' }),
        hiredUntil: date({ label: 'Hired until' }),
      },
    },
    sell: {
      path: 'sell',
      title: 'Record as sold',
      allow: EQUIPMENT_ROLES,
      from: PRESENT,
      to: 'sold',
      input: { reason },
    },
    scrap: {
      path: 'scrap',
      title: 'Record as scrapped',
      allow: EQUIPMENT_ROLES,
      from: PRESENT,
      to: 'scrapped',
      input: { reason },
    },
    takeBack: {
      path: 'take-back',
      title: 'Take back',
      allow: EQUIPMENT_ROLES,
      from: ['sold', 'scrapped'],
      to: 'in store',
      input: { reason },
    },
  },
})

export type EquipmentItem = RecordOf<typeof equipmentItem>

export const isPresent = (lifecycle: string): boolean => PRESENT.some((present) => present === lifecycle)

/** Change of an item's life, with its reason. */
export const equipmentEvent = resource({
  type: 'EquipmentEvent',
  service: 'safety',
  path: 'equipment_events',
  table: 'equipment_event',
  tenant: 'own',
  order: ['-id'],
  appendOnly: true,
  pack: 'safety',
  fields: {
    item: link((): Resource => equipmentItem, { readonly: true, notNull: true, filter: true }),
    /** Event as displayed, for example "Sold". */
    event: text({ readonly: true, notNull: true }),
    notes: longText({ readonly: true, default: '', notNull: true }),
    author: text({ readonly: true, notNull: true, stamp: 'author' }),
    createdAt: instant({ readonly: true, notNull: true }),
  },
  allow: { read: EQUIPMENT_READER_ROLES },
})

/** Picture, document, examination scheme or report of an item. It never changes. */
export const equipmentFile = resource({
  type: 'EquipmentFile',
  service: 'safety',
  path: 'equipment_files',
  table: 'equipment_file',
  tenant: 'own',
  title: 'name',
  order: ['-id'],
  appendOnly: true,
  pack: 'safety',
  fields: {
    ...storedFileFields,
    item: link((): Resource => equipmentItem, { readonly: true, notNull: true, filter: true }),
    name: text({ readonly: true, notNull: true }),
  },
  allow: { read: EQUIPMENT_READER_ROLES },
})
