import { type Reference, readReference } from '#server/data/reference.ts'

interface Role {
  readonly name: string
  readonly label: string
  readonly description: string
  readonly category: string
  readonly internal: boolean
}

/** The role that sets prices, and the rates of VAT in the United Kingdom. */
export const billingReference: Reference = {
  name: 'billing',
  edition: 1,
  load: async (tx) => {
    const { roles } = readReference('roles.json') as { roles: Role[] }
    for (const r of roles.filter(({ name }) => name === 'ROLE_BILLING_ADMIN'))
      await tx.rows(
        'INSERT INTO role (name, label, description, category_id, internal) VALUES ($1, $2, $3, (SELECT id FROM role_category WHERE name = $4), $5) ON CONFLICT (name) DO NOTHING',
        [r.name, r.label, r.description, r.category, r.internal],
      )
    await tx.rows(
      `INSERT INTO tax_rate (client_id, name, percent, from_date) VALUES
       (0, 'Standard rate', 20, '2011-01-04'), (0, 'Reduced rate', 5, '1997-09-01'), (0, 'Zero rate', 0, '1973-04-01')`,
    )
  },
}
