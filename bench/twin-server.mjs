// The twin: a hand-written server with Fastify and pg that writes the same data as the portal. It runs on the portal's
// own tables, where the same triggers write duplicate keys, search words and counts by category. The audit, the lease
// and the next lead have separate code here. The twin has no permissions, validation or tenant role. Like the limit, it
// uses a signature instead of a session.
import { createHmac, timingSafeEqual } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'

for (const oid of [1082, 1114, 1184]) pg.types.setTypeParser(oid, (s) => s)
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.POOL ?? 10) })
const q = (name, text, values, on = pool) => on.query({ name, text, values }).then((r) => r.rows)
const sign = (s) => createHmac('sha256', 'bench').update(s).digest()
const columns = (of) =>
  'id,name,company_name,company_number,phone,mobile,email,owner_id,client_id,expiry,callback_date,last_result_id,category,business_type_id,updated_at,retired'
    .split(',')
    .map((column) => `${of}.${column}`)
    .join()
const AUDIT = 'INSERT INTO audit (client_id, user_id, username, request_id, type, row_id, verb, changes)'
/** Every request acts as the provider's first account. */
const USER = 1

const app = Fastify()
app.post('/login', async (r) => {
  const who = `${r.body.user}.0`
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
app.get('/contacts', async (r) => ({
  data: await q(
    'list',
    `SELECT ${columns('c')} FROM contact c WHERE owner_id = $1 AND client_id = $2 AND NOT retired ORDER BY id DESC LIMIT 30`,
    [r.query.owner, r.tenant],
  ),
}))
app.post('/contacts', async (r) => {
  const b = r.body
  const [data] = await q(
    'create',
    `WITH c AS (
       INSERT INTO contact (client_id, name, company_name, phone, email, owner_id, business_type_id, last_edit_by)
       VALUES ($1, $2, $3, $4, $5, $6, $7, 'bench') RETURNING *),
     written AS (${AUDIT} SELECT $1, ${USER}, 'bench', $8, 'Contact', c.id, 'create', $9 FROM c)
     SELECT ${columns('c')} FROM c`,
    [r.tenant, b.name, b.company_name, b.phone, b.email, b.owner, b.business_type_id, r.id, JSON.stringify(b)],
  )
  return { data }
})
app.patch('/contacts/:id', async (r, reply) => {
  const [data] = await q(
    'update',
    `WITH o AS (SELECT id, last_result_id, callback_date FROM contact WHERE client_id = $1 AND id = $2 FOR UPDATE),
     c AS (
       UPDATE contact t SET last_result_id = $3, callback_date = $4, last_edit_by = 'bench', updated_at = now()
       FROM o WHERE t.client_id = $1 AND t.id = o.id RETURNING t.*),
     written AS (${AUDIT}
       SELECT $1, ${USER}, 'bench', $5, 'Contact', c.id, 'update',
         jsonb_build_object('lastResult', jsonb_build_array(o.last_result_id, c.last_result_id), 'callbackDate', jsonb_build_array(o.callback_date, c.callback_date))
       FROM c JOIN o USING (id))
     SELECT ${columns('c')} FROM c`,
    [r.tenant, r.params.id, r.body.last_result_id, r.body.callback_date, r.id],
  )
  return data ? { data } : reply.code(404).send({})
})

/** One statement writes the lead, its note and both audit rows. Another leases the next lead and reads its notes. */
app.post('/contacts/:id/outcomes', async (r, reply) => {
  const b = r.body
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    const [done] = await q(
      'outcome',
      `WITH o AS (SELECT id, last_result_id, callback_date, expiry, outcomes FROM contact WHERE client_id = $1 AND id = $2 FOR UPDATE),
       n AS (
         INSERT INTO note (client_id, contact_id, user_id, author, notes, minutes, last_result_id, before)
         SELECT $1, o.id, $3, 'bench', $4, $5, $6, to_jsonb(o) FROM o RETURNING id, contact_id, notes, minutes, timestamp),
       c AS (
         UPDATE contact t SET last_result_id = $6, outcome_id = $6, outcomes = t.outcomes + 1, callback_date = $7, expiry = $7,
           lease_user_id = NULL, lease_until = NULL, last_edit_by = 'bench', updated_at = now()
         FROM o WHERE t.client_id = $1 AND t.id = o.id RETURNING t.*),
       written AS (${AUDIT}
         SELECT $1, ${USER}, 'bench', $8, 'Note', n.id, 'create', to_jsonb(n) FROM n
         UNION ALL
         SELECT $1, ${USER}, 'bench', $8, 'Contact', c.id, 'outcome',
           jsonb_build_object('lastResult', jsonb_build_array(o.last_result_id, c.last_result_id), 'callbackDate', jsonb_build_array(o.callback_date, c.callback_date),
             'expiry', jsonb_build_array(o.expiry, c.expiry), 'outcomes', jsonb_build_array(o.outcomes, c.outcomes))
         FROM c JOIN o USING (id))
       SELECT ${columns('c')}, to_jsonb(n) AS note FROM c, n`,
      [r.tenant, r.params.id, b.owner, b.text, b.minutes, b.result, b.date, r.id],
      client,
    )
    const [next] = await q(
      'next',
      `WITH pick AS (
         SELECT id FROM contact WHERE client_id = $1 AND owner_id = $2 AND NOT retired AND NOT do_not_call AND won_at IS NULL
           AND (lease_until IS NULL OR lease_until < now() OR lease_user_id = $3) AND id <> $4 AND callback_date <= now()
         ORDER BY callback_date, id LIMIT 1 FOR UPDATE SKIP LOCKED),
       c AS (
         UPDATE contact t SET lease_user_id = $3, lease_until = now() + interval '10 minutes'
         FROM pick WHERE t.client_id = $1 AND t.id = pick.id RETURNING t.*)
       SELECT ${columns('c')}, (
         SELECT coalesce(json_agg(n), '[]') FROM (
           SELECT id, author, notes, minutes, timestamp, sticky FROM note
           WHERE client_id = $1 AND contact_id = c.id AND NOT retired ORDER BY sticky DESC, id DESC LIMIT 30) n) AS notes
       FROM c`,
      [r.tenant, b.owner, USER, r.params.id],
      client,
    )
    await client.query('COMMIT')
    return done ? { done, next } : reply.code(404).send({})
  } catch (e) {
    await client.query('ROLLBACK')
    throw e
  } finally {
    client.release()
  }
})
await app.listen({ port: Number(process.env.PORT ?? 4702), host: '127.0.0.1' })
