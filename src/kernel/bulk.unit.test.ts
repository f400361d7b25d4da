import { describe, expect, it } from 'vitest'
import { bulkActions, bulkChangeValues, canRunBulkAction, canRunBulkActionOnSome } from './bulk.ts'
import { choice, flag, integer, text } from './fields.ts'
import { resource } from './resource.ts'
import type { Actor } from './roles.ts'
import { only } from './row-rules.ts'

const person = (...roles: string[]): Actor => ({ userId: 1, clientId: 5, username: 'a', name: 'A', roles, scopes: [] })
const boat = resource({
  type: 'Boat',
  service: 'x',
  path: 'boats',
  table: 'boat',
  tenant: 'own',
  fields: { name: text(), length: integer({ editable: 'ROLE_WRIGHT' }), isRetired: flag({ editable: 'ROLE_CHIEF' }) },
  allow: { read: 'member', update: 'ROLE_KEEPER' },
  actions: { launch: { path: 'launch', title: 'Launch', allow: 'ROLE_CAPTAIN', input: {} } },
  bulk: ['retire', 'length', 'launch'],
})
const named = (name: string) => bulkActions(boat).find((a) => a.name === name)!

describe('bulk actions', () => {
  it('a resource has exactly the bulk actions that it declares and permits, with their undo actions', () => {
    expect(bulkActions(boat).map((a) => [a.name, a.title, a.undo])).toEqual([
      ['retire', 'Retire', 'restore'],
      ['restore', 'Restore', 'retire'],
      ['length', 'Length', undefined],
      ['launch', 'Launch', undefined],
    ])
    expect(bulkActions({ ...boat, allow: {} }).map((a) => a.name)).toEqual(['launch'])
  })

  it('a bulk change changes only its own field', () => {
    expect(bulkChangeValues(named('retire').change!, {})).toEqual({ isRetired: true })
    expect(bulkChangeValues(named('restore').change!, {})).toEqual({ isRetired: false })
    expect(bulkChangeValues(named('length').change!, { length: 4, name: 'x' })).toEqual({ length: 4 })
  })

  it("a bulk action requires the action's role, and a bulk field change requires the record's and the field's roles", () => {
    const may = (name: string, ...roles: string[]) => canRunBulkAction(person(...roles), boat, named(name))
    expect([may('retire', 'ROLE_KEEPER'), may('retire', 'ROLE_KEEPER', 'ROLE_CHIEF')]).toEqual([false, true])
    expect([may('length', 'ROLE_WRIGHT'), may('length', 'ROLE_WRIGHT', 'ROLE_KEEPER')]).toEqual([false, true])
    expect([may('launch', 'ROLE_KEEPER'), may('launch', 'ROLE_CAPTAIN')]).toEqual([false, true])
  })

  it('a bulk action is offered if the state and the row rule of at least one selected record allow it', () => {
    const loan = resource({
      type: 'Loan',
      service: 'x',
      path: 'loans',
      table: 'loan',
      tenant: 'own',
      fields: { owner: integer(), state: choice(['asked', 'lent'], { readonly: true }), retired: flag() },
      state: 'state',
      allow: { read: 'member', update: 'member' },
      actions: {
        approve: {
          path: 'approve',
          title: 'Approve',
          allow: 'member',
          from: ['asked'],
          to: 'lent',
          rows: [{ unless: [], only: only.others('owner') }],
          input: {},
        },
      },
      bulk: ['retire', 'approve'],
    })
    const offered = (...rows: Readonly<Record<string, unknown>>[]) =>
      bulkActions(loan).flatMap((action) => (canRunBulkActionOnSome(person(), loan, action, rows) ? [action.name] : []))
    const [own, lent] = [
      { owner: 1, state: 'asked', retired: false },
      { owner: 2, state: 'lent', retired: true },
    ]
    const open = { owner: 2, state: 'asked', retired: false }
    expect(offered(own)).toEqual(['retire'])
    expect(offered(lent)).toEqual(['restore'])
    expect(offered(own, lent)).toEqual(['retire', 'restore'])
    expect(offered(own, open)).toEqual(['retire', 'approve'])
    expect(offered({ state: 'asked', retired: true })).toEqual(['restore', 'approve'])
  })

  it('a bulk action is rejected if it is neither an action nor a changeable field, or does not declare which inputs apply to many records', () => {
    for (const name of ['sink', 'id'])
      expect(() => bulkActions({ ...boat, bulk: [name] })).toThrow(`Boat: "${name}" can't be a bulk action`)
    const paint = {
      path: 'paint',
      title: 'Paint',
      allow: 'member',
      input: { colour: text({ required: true }), at: text() },
    } as const
    const painted = (bulk: NonNullable<typeof boat.bulk>) => bulkActions({ ...boat, actions: { paint }, bulk })
    expect(painted([{ action: 'paint', input: ['colour'] }])).toEqual([
      { name: 'paint', title: 'Paint', input: { colour: paint.input.colour }, singleOnly: ['at'] },
    ])
    expect(() => painted(['paint'])).toThrow('must state which inputs apply to many records')
    expect(() => painted([{ action: 'paint', input: ['at'] }])).toThrow('leave out the required input "colour"')
    expect(() => painted([{ action: 'paint', input: ['colour', 'size'] }])).toThrow('has no input "size"')
    expect(() => bulkActions({ ...boat, fields: { made: text({ readonly: true }) }, bulk: ['made'] })).toThrow('made')
  })
})
