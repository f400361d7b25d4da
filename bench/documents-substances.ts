import type pg from 'pg'

/** Number of substances in each client's library, and in each assessment. */
const OF_A_CLIENT = 20
const OF_AN_ASSESSMENT = 10

/** Gives every COSHH assessment ten of its client's twenty substances. Returns the number of references. */
export async function insertSubstances(client: pg.Client): Promise<number> {
  // Skips triggers and foreign key checks: a million rows take seconds instead of minutes.
  await client.query('SET session_replication_role = replica')
  await client.query(
    `INSERT INTO substance (client_id, name, form)
     SELECT c.client_id, 'Solvent ' || n, 'liquid' FROM (SELECT DISTINCT client_id FROM document WHERE kind = 'coshh_assessment') c, generate_series(1, ${OF_A_CLIENT}) n
     ORDER BY 1, n`,
  )
  const { rowCount } = await client.query(
    `INSERT INTO coshh_substance (client_id, document_id, position, substance_id, name)
     SELECT d.client_id, d.id, n, s.first + (d.id * 7 + n) % ${OF_A_CLIENT}, 'Solvent'
     FROM document d JOIN (SELECT client_id, min(id) AS first FROM substance GROUP BY client_id) s USING (client_id), generate_series(0, ${OF_AN_ASSESSMENT - 1}) n
     WHERE d.kind = 'coshh_assessment'`,
  )
  await client.query('RESET session_replication_role')
  await client.query('ANALYZE substance, coshh_substance')
  return rowCount ?? 0
}

/** Returns the ID of the first substance in a client's library. */
export async function findSubstanceId(client: pg.Client, clientId: number): Promise<number> {
  const { rows } = await client.query<{ id: string }>('SELECT min(id) AS id FROM substance WHERE client_id = $1', [
    clientId,
  ])
  return Number(rows[0]?.id)
}

const IT = `FROM document d WHERE d.kind = 'coshh_assessment' AND NOT d.retired AND (d.client_id = $1 OR d.client_id = 0 AND d.current)
  AND EXISTS (SELECT FROM coshh_substance s WHERE s.client_id = d.client_id AND s.document_id = d.id AND s.substance_id = $2)`

/** Plain queries for the assessments with a substance: one for the page, one for its total. */
export const RAW_SUBSTANCE_QUERIES = {
  page: `SELECT d.* ${IT} ORDER BY d.id DESC LIMIT 30`,
  count: `SELECT count(*) ${IT}`,
}
