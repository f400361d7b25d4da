import type { Tx } from '#server/db/db.ts'

/** Product, its pack, what it is, and its plans: name, pence, every month or year. */
const PRODUCTS: readonly [string, string, string, readonly [string, number, 'month' | 'year'][]][] = [
  [
    'Health & Safety',
    'sfp',
    'Risk assessments, method statements, COSHH and the accident book',
    [
      ['Health & Safety, monthly', 6900, 'month'],
      ['Health & Safety, yearly', 74_500, 'year'],
    ],
  ],
  [
    'Employment',
    'ffe',
    'Contracts, handbooks, right to work and absence',
    [
      ['Employment, monthly', 5900, 'month'],
      ['Employment, yearly', 63_700, 'year'],
    ],
  ],
  [
    'Fleet',
    'ffp',
    'Vehicles, drivers, checks and licences',
    [
      ['Fleet, monthly', 3900, 'month'],
      ['Fleet, yearly', 42_100, 'year'],
    ],
  ],
  [
    'Contractors',
    'ffc',
    'Questionnaires, insurance and approval of contractors',
    [
      ['Contractors, monthly', 2900, 'month'],
      ['Contractors, yearly', 31_300, 'year'],
    ],
  ],
  [
    'e-Learning',
    'elearning',
    'Courses with certificates, for up to 25 people',
    [
      ['e-Learning, monthly', 1900, 'month'],
      ['e-Learning, yearly', 20_500, 'year'],
    ],
  ],
]

/** Name, code, what one is, pence. */
const SKUS: readonly [string, string, string, number][] = [
  ['Site visit by a consultant', 'VISIT', 'visit', 49_500],
  ['Half day of training', 'TRAIN', 'half day', 38_000],
  ['Printed safety folder', 'FOLDER', 'folder', 4500],
  ['First aid poster', 'POSTER', 'poster', 850],
  ['Consultant’s mileage', 'MILE', 'mile', 45.5],
  ['Fire risk assessment', 'FIRE', 'building', 32_500],
]

/** Name, percent, pence, duration, periods, uses at most, uses so far, valid for so many days from now. */
const COUPONS: readonly [
  string,
  number | null,
  number | null,
  string,
  number | null,
  number | null,
  number,
  number | null,
][] = [
  ['Welcome', 10, null, 'once', null, null, 0, null],
  ['Three months at half price', 50, null, 'periods', 3, 200, 0, 90],
  ['Federation members', 12.5, null, 'forever', null, null, 0, null],
  ['£50 off', null, 5000, 'once', null, null, 0, 180],
  ['Spring show', 20, null, 'once', null, 50, 12, -45],
  ['First ten customers', 25, null, 'forever', null, 10, 10, null],
]

/** The invented provider's catalogue, and some of its customers. */
export async function billingDemo(tx: Tx): Promise<void> {
  for (const [name, code, description, plans] of PRODUCTS) {
    const product = await id(
      tx,
      'INSERT INTO product (client_id, name, description, prod_legend, created_at) VALUES (0, $1, $2, $3, now() - make_interval(days => 400)) RETURNING id',
      [name, description, `${name} pack`],
    )
    await tx.rows('INSERT INTO billing_application (client_id, name, code, product_id) VALUES (0, $1, $2, $3)', [
      name,
      code,
      product,
    ])
    for (const [plan, amount, interval] of plans) await addPlan(tx, product, plan, amount, interval)
  }
  await tx.rows(
    "INSERT INTO product (client_id, name, description, livemode) VALUES (0, 'Environment', 'Waste, spills and permits; in preparation', false)",
  )
  for (const [name, code, unit, amount] of SKUS) {
    const sku = await id(
      tx,
      `INSERT INTO sku (client_id, name, code, unit, amount, tax_rate_id) VALUES (0, $1, $2, $3, $4, ${STANDARD}) RETURNING id`,
      [name, code, unit, amount],
    )
    await tx.rows("INSERT INTO price (client_id, sku_id, amount, author) VALUES (0, $1, $2, 'manager')", [sku, amount])
  }
  for (const coupon of COUPONS)
    await tx.rows(
      `INSERT INTO coupon (client_id, name, percent_off, amount_off, duration, duration_periods, max_redemptions, times_redeemed, expires_at)
       VALUES (0, $1, $2, $3, $4, $5, $6, $7, now() + make_interval(days => $8))`,
      coupon,
    )
  await tx.rows(
    `INSERT INTO coupon (client_id, name, percent_off, duration, plans)
     SELECT 0, 'Yearly plans only', 5, 'forever', array_agg('/api/financial/plans/' || id ORDER BY id) FROM plan WHERE client_id = 0 AND "interval" = 'year'`,
  )
  await customers(tx)
}

const STANDARD = '(SELECT id FROM tax_rate WHERE client_id = 0 AND percent = 20 ORDER BY id LIMIT 1)'

/** A plan with the price that it has, and the lower one that it had until last year. */
async function addPlan(tx: Tx, product: number, name: string, amount: number, interval: string): Promise<void> {
  const plan = await id(
    tx,
    `INSERT INTO plan (client_id, product_id, name, amount, "interval", tax_rate_id, version) VALUES (0, $1, $2, $3, $4, ${STANDARD}, 2) RETURNING id`,
    [product, name, amount, interval],
  )
  await tx.rows(
    `INSERT INTO price (client_id, plan_id, version, amount, "interval", interval_count, author, from_at) VALUES
     (0, $1, 1, $3, $2, 1, 'manager', now() - make_interval(days => 400)), (0, $1, 2, $4, $2, 1, 'manager', now() - make_interval(days => 80))`,
    [plan, interval, Math.round(amount * 0.9), amount],
  )
}

/** Some leads that have been pitched to, and the clients that are there, buy; two of them with a card. */
async function customers(tx: Tx): Promise<void> {
  await tx.rows(
    `INSERT INTO customer (client_id, email, contact_id, metadata, coupon_id, account_balance, created_at)
     SELECT 0, c.email, c.id, jsonb_build_object('owner', s.username, 'createdBy', coalesce(s.username, 'staff'), 'contact_uri', '/api/crm/contacts/' || c.id,
            'contact_id', c.id, 'telephone', c.phone, 'company_name', c.company_name, 'contact_name', c.name),
            CASE WHEN row_number() OVER (ORDER BY c.id) % 4 = 0 THEN (SELECT id FROM coupon WHERE client_id = 0 AND name = 'Welcome') END,
            CASE WHEN row_number() OVER (ORDER BY c.id) % 5 = 0 THEN 8280 ELSE 0 END, now() - make_interval(days => (c.id % 40)::int)
     FROM contact c LEFT JOIN staff s ON s.client_id = c.client_id AND s.id = c.owner_id
     WHERE c.client_id = 0 AND c.last_result_id = 6 AND c.email <> '' ORDER BY c.id LIMIT 24`,
  )
  await tx.rows(
    `INSERT INTO customer (client_id, email, account_id, metadata)
     SELECT 0, contactemail, id, jsonb_build_object('createdBy', 'manager', 'client_id', id, 'telephone', contacttel, 'company_name', company, 'contact_name', contactname)
     FROM client WHERE id IN (1, 2)`,
  )
  await tx.rows(
    `UPDATE contact c SET customer = '/api/financial/customers/' || k.id FROM customer k
     WHERE k.client_id = c.client_id AND k.contact_id = c.id AND c.client_id = 0`,
  )
  await tx.rows(
    `UPDATE coupon SET times_redeemed = (SELECT count(*) FROM customer k WHERE k.client_id = 0 AND k.coupon_id = coupon.id)
     WHERE client_id = 0 AND name = 'Welcome'`,
  )
  const rows = await tx.rows<{ id: number }>('SELECT id FROM customer WHERE client_id = 0 ORDER BY id LIMIT 2')
  const cards = [
    ['visa', '4242'],
    ['mastercard', '4444'],
  ] as const
  for (const [n, [brand, last4]] of cards.entries()) {
    const customer = rows[n]?.id
    if (customer === undefined) continue
    const token = `pm_test_demo${customer}`
    const card = { brand, last4, expMonth: 12, expYear: 2031, challenge: 'none', session: '' }
    await tx.rows("INSERT INTO test_gateway (client_id, kind, ref, data) VALUES (0, 'card', $1, $2)", [
      token,
      JSON.stringify({ ...card, customer: `cus_test_${customer}` }),
    ])
    await tx.rows(
      `INSERT INTO card (client_id, customer_id, brand, last4, exp_month, exp_year, gateway, gateway_id, is_default) VALUES (0, $1, $2, $3, 12, 2031, 'test', $4, true)`,
      [customer, brand, last4, token],
    )
    await tx.rows('UPDATE customer SET gateway_refs = $2 WHERE client_id = 0 AND id = $1', [
      customer,
      JSON.stringify({ test: `cus_test_${customer}` }),
    ])
  }
}

async function id(tx: Tx, text: string, values: readonly unknown[]): Promise<number> {
  const [row] = await tx.rows<{ id: number }>(text, values)
  return (row as { id: number }).id
}
