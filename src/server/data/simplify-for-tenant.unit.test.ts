import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Actor } from '#kernel/roles.ts'
import { meetsRowCondition, only, type RowCondition } from '#kernel/row-rules.ts'
import { document, signature } from '#modules/documents/types/document.ts'
import { simplifyConditionForRows, simplifyConditionForTenant } from './simplify-for-tenant.ts'

const actor: Actor = {
  userId: 1,
  clientId: 7,
  username: 'ada',
  name: 'Ada',
  roles: ['ROLE_EMPLOYEE'],
  scopes: [],
  packs: { safety: 'active' },
}
const leaf = fc.constantFrom<RowCondition>(
  only.ofMyCompany('client'),
  only.templates('client'),
  only.on('current'),
  only.mine('author'),
  only.forMe('audience'),
)
const { condition } = fc.letrec<{ condition: RowCondition }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('condition'), { maxLength: 3 }).map((any) => ({ any })),
    fc.array(tie('condition'), { maxLength: 3 }).map((all) => ({ all })),
  ),
}))
const rows = fc.record({
  current: fc.boolean(),
  author: fc.constantFrom('ada', 'bob'),
  audience: fc.constantFrom([], ['ROLE_EMPLOYEE'], ['ROLE_STAFF']),
})

test("an access rule simplified for one client has the same result as the full rule for that client's rows", () => {
  fc.assert(
    fc.property(condition, fc.constantFrom(0, 7), rows, (rule, owner, values) => {
      const row = { ...values, id: 1, client: owner, clientId: owner }
      const left = simplifyConditionForTenant(document, rule, actor, owner)
      const rest = typeof left === 'boolean' ? left : meetsRowCondition(document, left, row, actor)
      expect(rest).toBe(meetsRowCondition(document, rule, row, actor))
      if (typeof left === 'object') expect(JSON.stringify(left)).not.toMatch(/my company's|the provider's/)
    }),
  )
})

test('an access rule simplified for the rows of a readable record omits only the check of access to that record', () => {
  const record = document
  const its = only.ofReadable('document')
  const within = (rule: RowCondition, by = 'document', of: unknown = record) =>
    simplifyConditionForRows(signature, rule, { by, record: of })
  expect(within(its)).toBe(true)
  expect(within(only.both(its, only.mine('user')))).toEqual(only.mine('user'))
  expect(within(only.either(its, only.mine('user')))).toBe(true)
  // Checks that must remain, because they concern another record, another relation or another declaration's access.
  for (const left of [
    within(its, 'document', signature),
    within(its, 'user'),
    within(only.ofReadable('document', () => signature)),
  ])
    expect(left).toMatchObject({ is: 'readable', field: 'document' })
})
