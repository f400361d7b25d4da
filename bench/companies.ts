import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { startTemporaryPostgres } from '../scripts/postgres.mjs'
import { buildDatabaseUrl, createBenchUser, runCli, start } from './systems.ts'

/*
 * Register of companies: compares a look-up through the portal with the plain query, and an import with a COPY of the
 * same rows, on the same PostgreSQL server in the same run. Prints ratios and asserts nothing. `node bench/companies.ts
 * --quick` uses 200 000 companies instead of 5 000 000, and 50 000 rows instead of 200 000.
 */
const quick = process.argv.includes('--quick')
const COMPANIES = quick ? 200_000 : 5_000_000
const IMPORTED = quick ? 50_000 : 200_000
const SETTINGS = [
  'shared_buffers=2GB',
  'work_mem=32MB',
  'maintenance_work_mem=1GB',
  'random_page_cost=1.1',
  'max_wal_size=8GB',
  'jit=off',
]
/**
 * Maximum number of repetitions of a look-up; repetition stops earlier if the queries take longer than `ENOUGH_MS` in
 * total.
 */
const TIMES = 40
const ENOUGH_MS = 8000

const SEARCH_QUERIES = [
  ['a rare part of a name', 'quill harb'],
  ['a rare part, at the end of a name', 'ford 77123'],
  ['a rare beginning', 'harbour roofing 4'],
  ['a trade', 'roofing'],
  ['a trade, half-typed', 'roof'],
  ['a word in every fifth name', 'services'],
  ['ltd', 'ltd'],
  ['limited', 'limited'],
  ['a b', 'a b'],
  ['one letter', 's'],
  ['two letters', 'ha'],
  ['no matches', 'xylqw zzy'],
] as const

/**
 * Inserts companies with names similar to the register's, made of more than a thousand first words, trades and legal
 * forms.
 */
const FILL = `INSERT INTO company (number, name, address1, city, county, postcode, category, status, sic_codes, incorporated)
  SELECT lpad(i::text, 8, '0'),
    upper(CASE WHEN h(i, 1) % 25 = 0 THEN chr(97 + (h(i, 2) % 26)::int) || ' ' || chr(97 + (h(i, 3) % 26)::int) || ' ' ELSE '' END
      || w[1 + h(i, 4) % cardinality(w)] || e[1 + h(i, 5) % cardinality(e)] || ' '
      || CASE WHEN h(i, 6) % 3 = 0 THEN w[1 + h(i, 7) % cardinality(w)] || ' ' ELSE '' END
      || CASE WHEN h(i, 8) % 4 = 0 THEN (h(i, 9) % 99999)::text || ' ' ELSE '' END
      || t[1 + h(i, 10) % cardinality(t) * (h(i, 11) % cardinality(t)) / cardinality(t)] || CASE WHEN h(i, 12) % 3 = 0 THEN ' limited' ELSE ' ltd' END),
    (h(i, 13) % 200)::text || ' HIGH STREET', 'LEEDS', '', 'LS' || (h(i, 14) % 29)::text || ' 1AA', 'Private Limited Company',
    CASE WHEN h(i, 15) % 12 = 0 THEN 'Liquidation' ELSE 'Active' END, '{62012}', date '1990-01-01' + (h(i, 16) % 12000)::int
  FROM generate_series($1::int, $2::int) i,
    (SELECT string_to_array('harbour quill aber bright castle dale east field green hill iron jade kings lark mill north oak park quay river stone tower upper vale west york zen silver golden royal city urban summit prime apex global local first nova', ' ') w,
            string_to_array('ford ton ham ley wood bury by worth field combe dean wick stead mere gate bank side well bourne croft more land view point man son ings er y s', ' ') e,
            string_to_array('services roofing holdings properties consulting construction care solutions trading management engineering transport design group catering cleaning electrical plumbing developments investments media software logistics security recruitment training motors foods fashion dental pharmacy joinery scaffolding landscapes flooring marketing energy interiors systems partners', ' ') t) x`
const HASH = `CREATE FUNCTION h(i int, salt int) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT hashint8extended(i, salt) & 2147483647 $$`

/** Plain query with the same result, using the same index. */
const rawQuery = (part: string) => ({
  text: `SELECT * FROM company WHERE key LIKE $1 ORDER BY active DESC, starts_with(key, $2) DESC, length LIMIT 20`,
  values: [part.length < 3 ? `${part}%` : `%${part}%`, part],
})

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  // If a run fails, the server stops first. The resulting connection error must not hide the original error.
  client.on('error', () => {})
  await client.connect()
  return client
}

async function times(work: () => Promise<unknown>): Promise<{ median: number; worst: number }> {
  const taken: number[] = []
  for (let n = 0, sum = 0; n < TIMES + 3 && sum < ENOUGH_MS; n++) {
    const began = performance.now()
    await work()
    const ms = performance.now() - began
    sum += ms
    if (n >= 3 || ms > 1000) taken.push(ms)
  }
  taken.sort((a, b) => a - b)
  return { median: taken[taken.length >> 1] as number, worst: taken.at(-1) as number }
}

async function lookUps(database: string): Promise<void> {
  const client = await connected(database)
  const ours = await start('ours', database)
  try {
    console.log(
      `\n| part of a name, among ${COMPANIES.toLocaleString('en-GB')} companies | query alone, ms | look-up, ms | slowest, ms | look-up ÷ query | goal |`,
    )
    console.log('|---|---|---|---|---|---|')
    const over = async (part: string) => {
      const answer = await fetch(
        `${ours.base}/api/financial/companies_houses?${new URLSearchParams({ companyName: part })}`,
        {
          headers: ours.headers,
        },
      )
      if (!answer.ok) throw new Error(await answer.text())
      return answer.text()
    }
    for (const [what, part] of SEARCH_QUERIES) {
      const raw = await times(() => client.query(rawQuery(part)))
      const mine = await times(() => over(part))
      const ratio = mine.median / raw.median
      console.log(
        `| ${what} (${part}) | ${raw.median.toFixed(2)} | ${mine.median.toFixed(2)} | ${mine.worst.toFixed(1)} | **${ratio.toFixed(3)}**${ratio > 1.5 ? ' (over)' : ''} | ≤ 1.5 |`,
      )
    }
    const nothing = await times(() =>
      fetch(`${ours.base}/api/financial/companies_houses`, { headers: ours.headers }).then((r) => r.text()),
    )
    console.log(`| a request without a look-up | | ${nothing.median.toFixed(2)} | ${nothing.worst.toFixed(1)} | | |`)
  } finally {
    await client.end()
    await ours.stop()
  }
}

const COLUMNS =
  'number, name, address1, address2, city, county, country, postcode, category, status, sic_codes, incorporated, dissolved'
const HEADER =
  'CompanyName, CompanyNumber,RegAddress.CareOf,RegAddress.POBox,RegAddress.AddressLine1, RegAddress.AddressLine2,RegAddress.PostTown,RegAddress.County,RegAddress.Country,RegAddress.PostCode,CompanyCategory,CompanyStatus,CountryOfOrigin,DissolutionDate,IncorporationDate,Accounts.AccountRefDay,Accounts.AccountRefMonth,Accounts.NextDueDate,Accounts.LastMadeUpDate,Accounts.AccountCategory,Returns.NextDueDate,Returns.LastMadeUpDate,Mortgages.NumMortCharges,Mortgages.NumMortOutstanding,Mortgages.NumMortPartSatisfied,Mortgages.NumMortSatisfied,SICCode.SicText_1,SICCode.SicText_2,SICCode.SicText_3,SICCode.SicText_4,LimitedPartnerships.NumGenPartners,LimitedPartnerships.NumLimPartners,URI,PreviousName_1.CONDATE, PreviousName_1.CompanyName, PreviousName_2.CONDATE, PreviousName_2.CompanyName,PreviousName_3.CONDATE, PreviousName_3.CompanyName,PreviousName_4.CONDATE, PreviousName_4.CompanyName,PreviousName_5.CONDATE, PreviousName_5.CompanyName,PreviousName_6.CONDATE, PreviousName_6.CompanyName,PreviousName_7.CONDATE, PreviousName_7.CompanyName,PreviousName_8.CONDATE, PreviousName_8.CompanyName,PreviousName_9.CONDATE, PreviousName_9.CompanyName,PreviousName_10.CONDATE, PreviousName_10.CompanyName,ConfStmtNextDueDate, ConfStmtLastMadeUpDate'

/** Writes the same companies in the register's file format, and in the format that COPY reads fastest. */
async function writeFiles(database: string, csv: string, tsv: string): Promise<void> {
  const client = await connected(database)
  const { rows } = await client.query<
    Record<'number' | 'name' | 'address1' | 'postcode' | 'status' | 'day' | 'iso', string>
  >(
    `SELECT number, name, address1, postcode, status, to_char(incorporated, 'DD/MM/YYYY') AS day, incorporated::text AS iso FROM company ORDER BY id LIMIT ${IMPORTED}`,
  )
  await client.end()
  const quoted = (values: string[]) => `${values.map((v) => `"${v}"`).join(',')}\r\n`
  const none = (n: number) => Array.from({ length: n }, () => '')
  const line = (r: (typeof rows)[number]) =>
    quoted([
      r.name,
      r.number,
      '',
      '',
      r.address1,
      '',
      'LEEDS',
      '',
      '',
      r.postcode,
      'Private Limited Company',
      r.status,
      'United Kingdom',
      '',
      r.day,
      '31',
      '3',
      '31/12/2026',
      '31/03/2025',
      'MICRO ENTITY',
      '',
      '',
      '0',
      '0',
      '0',
      '0',
      '62012 - Business and domestic software development',
      '',
      '',
      '',
      '0',
      '0',
      `http://business.data.gov.uk/id/company/${r.number}`,
      ...none(20),
      '01/01/2027',
      '18/12/2025',
    ])
  const lines = function* (head: string, each: (r: (typeof rows)[number]) => string) {
    yield head
    for (let n = 0; n < rows.length; n += 1000)
      yield rows
        .slice(n, n + 1000)
        .map(each)
        .join('')
  }
  await pipeline(Readable.from(lines(`${HEADER}\r\n`, line)), createWriteStream(csv))
  const row = (r: (typeof rows)[number]) =>
    `${[r.number, r.name, r.address1, '', 'LEEDS', '', '', r.postcode, 'Private Limited Company', r.status, '{62012}', r.iso, '\\N'].join('\t')}\n`
  await pipeline(Readable.from(lines('', row)), createWriteStream(tsv))
}

const seconds = async (work: () => Promise<unknown>) => {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

async function imports(url: string, filled: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'stanchion-companies-'))
  const [csv, tsv] = [join(folder, 'companies.csv'), join(folder, 'companies.tsv')]
  const client = await connected(url)
  try {
    await writeFiles(filled, csv, tsv)
    await client.query('CREATE DATABASE bench_import')
    const database = buildDatabaseUrl(url, 'bench_import')
    await runCli(database, 'migrate')
    const idle = await seconds(() => runCli(database, 'migrate'))
    const raw = await connected(database)
    await raw.query('SELECT company_indexes(false)')
    const copy = await seconds(() =>
      pipeline(createReadStream(tsv), raw.query(copyFrom(`COPY company (${COLUMNS}) FROM STDIN`))),
    )
    const build = await seconds(() => raw.query('SELECT company_indexes(true); ANALYZE company'))
    await raw.query('TRUNCATE company')
    await raw.end()
    const first = (await seconds(() => runCli(database, 'import', 'companies', csv))) - idle
    const again = (await seconds(() => runCli(database, 'import', 'companies', csv))) - idle
    const speed = (s: number) => Math.round(IMPORTED / s).toLocaleString('en-GB')
    console.log(
      `\n| import of ${IMPORTED.toLocaleString('en-GB')} companies | seconds | rows per second | ÷ COPY with indexes |`,
    )
    console.log('|---|---|---|---|')
    console.log(
      `| COPY alone, with cleaned rows, into the table with its two keys | ${copy.toFixed(2)} | ${speed(copy)} | |`,
    )
    console.log(
      `| COPY, followed by the three search indexes | ${(copy + build).toFixed(2)} | ${speed(copy + build)} | 1 |`,
    )
    console.log(
      `| the register’s CSV file, into an empty register | ${first.toFixed(2)} | ${speed(first)} | **${(first / (copy + build)).toFixed(2)}** |`,
    )
    console.log(
      `| the same file a second time | ${again.toFixed(2)} | ${speed(again)} | ${(again / (copy + build)).toFixed(2)} |`,
    )
  } finally {
    await client.end()
    rmSync(folder, { recursive: true })
  }
}

const postgres = await startTemporaryPostgres(SETTINGS)
try {
  const load = () =>
    `Load of the machine: ${loadavg()
      .map((l) => l.toFixed(1))
      .join(', ')}`
  console.log(load())
  console.log(`Creating ${COMPANIES.toLocaleString('en-GB')} companies …`)
  const admin = await connected(postgres.url)
  await admin.query('CREATE DATABASE bench_companies')
  await admin.end()
  const database = buildDatabaseUrl(postgres.url, 'bench_companies')
  await runCli(database, 'migrate')
  const client = await connected(database)
  await client.query(`${HASH}; SELECT company_indexes(false); SET synchronous_commit = off`)
  for (let n = 1; n <= COMPANIES; n += 250_000) await client.query(FILL, [n, Math.min(COMPANIES, n + 249_999)])
  await client.query('SELECT company_indexes(true)')
  await client.query('VACUUM ANALYZE company')
  await client.end()
  await createBenchUser(database)
  console.log(load())
  await lookUps(database)
  await imports(postgres.url, database)
  console.log(`\n${load()}`)
} finally {
  await postgres.stop()
}
