// The limit: a hand-written server with Fastify and pg. It has no permissions, audit or validation. It uses a signature
// instead of a session. Each statement is prepared and has the tenant as a condition. Counts by category are cached in
// this single process.
import { createHmac, timingSafeEqual } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'

for (const oid of [1082, 1114, 1184]) pg.types.setTypeParser(oid, (s) => s)
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.POOL ?? 10) })
const q = (name, text, values) => pool.query({ name, text, values }).then((r) => r.rows)
const sign = (s) => createHmac('sha256', 'bench').update(s).digest()
const COLUMNS =
  'id,name,company_name,company_number,phone,mobile,email,owner,client_id,expiry,callback_date,last_result_id,business_type_id,updated_at,retired'

const app = Fastify()
app.post('/login', async (r) => {
  const who = `${r.body.user}.1`
  return { token: `${who}.${sign(who).toString('base64url')}` }
})
app.addHook('onRequest', async (r, reply) => {
  if (r.url === '/login') return
  const [user, tenant, signature] = (r.headers.authorization ?? '').slice(7).split('.')
  const want = sign(`${user}.${tenant}`)
  const got = Buffer.from(signature ?? '', 'base64url')
  if (got.length !== want.length || !timingSafeEqual(got, want)) return reply.code(401).send({ error: 'unauthorised' })
  r.tenant = Number(tenant)
})
app.get('/contacts', async (r) => {
  const [data, [{ n }]] = await Promise.all([
    q(
      'list',
      `SELECT ${COLUMNS} FROM contacts WHERE owner=$1 AND client_id=$2 AND NOT retired ORDER BY id DESC LIMIT 30`,
      [r.query.owner, r.tenant],
    ),
    q('count', 'SELECT count(*)::int n FROM contacts WHERE owner=$1 AND client_id=$2 AND NOT retired', [
      r.query.owner,
      r.tenant,
    ]),
  ])
  return { data, total: n }
})
app.get('/search', async (r) => ({
  data: await q(
    'search',
    `SELECT ${COLUMNS} FROM contacts WHERE client_id=$2 AND NOT retired AND lower(company_name) LIKE '%'||lower($1)||'%' ORDER BY id DESC LIMIT 30`,
    [r.query.q, r.tenant],
  ),
}))
app.get('/contacts/:id', async (r, reply) => {
  const [row] = await q('get', `SELECT ${COLUMNS} FROM contacts WHERE id=$1 AND client_id=$2`, [r.params.id, r.tenant])
  return row ? { data: row } : reply.code(404).send({})
})
app.get('/contacts/:id/notes', async (r) => ({
  data: await q(
    'notes',
    'SELECT n.* FROM notes n JOIN contacts c ON c.id=n.contact_id AND c.client_id=$2 WHERE n.contact_id=$1 AND NOT n.retired ORDER BY n.timestamp DESC LIMIT 30',
    [r.params.id, r.tenant],
  ),
}))
app.post('/contacts', async (r) => {
  const b = r.body
  const [row] = await q(
    'create',
    `INSERT INTO contacts(name,company_name,phone,email,owner,client_id,business_type_id) VALUES($1,$2,$3,$4,$5,$6,$7) RETURNING ${COLUMNS}`,
    [b.name, b.company_name, b.phone, b.email, b.owner, r.tenant, b.business_type_id],
  )
  return { data: row }
})
app.patch('/contacts/:id', async (r, reply) => {
  const [row] = await q(
    'update',
    `UPDATE contacts SET last_result_id=$3,callback_date=$4,updated_at=now() WHERE id=$1 AND client_id=$2 RETURNING ${COLUMNS}`,
    [r.params.id, r.tenant, r.body.last_result_id, r.body.callback_date],
  )
  return row ? { data: row } : reply.code(404).send({})
})

/** Completes a call: one statement writes the lead and the note, and another reads the next lead with its notes. */
const counts = new Map()
app.post('/contacts/:id/process-cached', async (r, reply) => {
  const b = r.body
  const key = `${r.tenant}.${b.owner}`
  if (!counts.has(key)) {
    const rows = await q(
      'counts',
      'SELECT last_result_id, count(*)::int n FROM contacts WHERE owner=$1 AND client_id=$2 AND NOT retired GROUP BY 1',
      [b.owner, r.tenant],
    )
    counts.set(key, new Map(rows.map((x) => [x.last_result_id, x.n])))
  }
  const [done] = await q(
    'process',
    `WITH o AS (SELECT id,owner,last_result_id,retired FROM contacts WHERE id=$1 AND client_id=$2 FOR UPDATE),
    u AS (UPDATE contacts c SET last_result_id=$3,callback_date=$4,updated_at=now() FROM o WHERE c.id=o.id),
    n AS (INSERT INTO notes(contact_id,text,minutes) SELECT id,$5,$6 FROM o) SELECT owner,last_result_id,retired FROM o`,
    [r.params.id, r.tenant, b.last_result_id, b.callback_date, b.text, b.minutes],
  )
  if (!done) return reply.code(404).send({})
  const its = counts.get(`${r.tenant}.${done.owner}`)
  if (its && !done.retired) {
    its.set(done.last_result_id, (its.get(done.last_result_id) ?? 0) - 1)
    its.set(b.last_result_id, (its.get(b.last_result_id) ?? 0) + 1)
  }
  const [next] = await q(
    'next',
    `SELECT ${COLUMNS}, (SELECT coalesce(json_agg(n ORDER BY n.timestamp DESC),'[]') FROM notes n WHERE n.contact_id=c.id AND NOT n.retired) AS notes
    FROM contacts c WHERE owner=$1 AND client_id=$2 AND NOT retired AND callback_date>$3 ORDER BY callback_date LIMIT 1`,
    [b.owner, r.tenant, b.after],
  )
  return { next, counts: [...counts.get(key)].map(([last_result_id, n]) => ({ last_result_id, n })) }
})
await app.listen({ port: Number(process.env.PORT ?? 4701), host: '127.0.0.1' })
