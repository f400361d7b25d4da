import { randomInt } from 'node:crypto'
import { problem, violation } from '#kernel/errors.ts'
import { strings } from '#kernel/fields.ts'
import { idFromIriOrNumber } from '#kernel/iri.ts'
import { LONDON_TIME_ZONE, londonDate } from '#kernel/time.ts'
import { readLetterhead, readLogo } from '#modules/portal/letterhead/letterhead.server.ts'
import { hashPassword } from '#server/auth/passwords.ts'
import { RouteResponse } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import { publicPageUrl } from '#server/engine/secret-links.ts'
import type { Context } from '#server/engine/types.ts'
import { employee } from '../employees/employee.ts'
import { employeeRecord } from '../employees/employee-record.ts'
import { FIRST_SIGN_IN_PATH } from '../nav.ts'
import { HR_ROLES } from '../rights.ts'
import { employeeLogin, LOGIN_DAYS, LOGIN_LETTERS_URL, MAX_LETTERS } from './employee-login.ts'
import { createLoginCode, normaliseLoginCode } from './login-code.ts'
import { type LoginLetter, renderLoginLetters } from './login-letter.server.ts'
import { prepareLoginAccount, requireLoginDelivery } from './recipient.server.ts'

interface NewCode {
  readonly code: string
  readonly hash: string
}

async function createCode(): Promise<NewCode> {
  const code = createLoginCode(randomInt)
  return { code, hash: await hashPassword(normaliseLoginCode(code)) }
}

/** Creates the letters of employees without an e-mail address. Throws if one of them gets none. */
async function createLetters(
  c: Context,
  ids: readonly number[],
  codes: readonly NewCode[],
  until: string,
): Promise<LoginLetter[]> {
  const people = await c.lockAll(employee, { id: ids })
  if (people.length < ids.length) throw problem.notFound()
  const letters: LoginLetter[] = []
  for (const [n, of] of people.entries()) {
    const { code, hash } = codes[n] as NewCode
    if (await requireLoginDelivery(c, of))
      throw problem.conflict(`${of.name} has an e-mail address. Send the login details by e-mail.`)
    const { id, username } = await prepareLoginAccount(c, of, '')
    await c.withoutPermissionCheck('login details are logged').create(employeeLogin, {
      employee: of.id,
      user: id,
      method: 'letter',
      codeHash: hash,
      createdAt: c.now.toString(),
      until,
    })
    c.security('password-link', `of ${username}, as a letter`)
    letters.push({ name: of.name, username, code })
  }
  return letters
}

/** Prints letters. Codes are shown only here, so that printing again replaces them. */
export const lettersRoute = routeWithInput(
  { employees: strings({ required: 'Please choose employees', help: `Up to ${MAX_LETTERS} employee records.` }) },
  {
    method: 'POST',
    path: LOGIN_LETTERS_URL,
    title: 'Print letters with one-time codes for employees without an e-mail address',
    allow: HR_ROLES,
    secret: true,
    file: ['application/pdf'],
    refuses: [404, 409],
    handle: async (c) => {
      const ids = [...new Set(c.input.employees.map((given) => idFromIriOrNumber(employeeRecord, given)))]
      if (!ids.length || ids.length > MAX_LETTERS)
        throw problem.invalid([violation('employees', `Please choose up to ${MAX_LETTERS} employees`)])
      if (ids.includes(undefined)) throw problem.notFound()
      const lastDay = londonDate(c.now).add({ days: LOGIN_DAYS })
      const until = lastDay.add({ days: 1 }).toZonedDateTime({ timeZone: LONDON_TIME_ZONE }).toInstant().toString()
      const codes = await Promise.all(ids.map(createCode))
      const { clientId } = c.me
      const letters = await c.engine.inTenant(
        clientId,
        { actor: c.me, requestId: c.request.id, from: c.request },
        async (unit) => {
          const made = await createLetters(unit, ids as number[], codes, until)
          return () => made
        },
      )
      const letterhead = await readLetterhead(c.engine, clientId)
      const logo = await readLogo(c.engine, letterhead)
      const { client: own, brand } = letterhead
      const pdf = await renderLoginLetters({
        clientId,
        sender: { brand, client: { ...own, name: own.name || brand.name, logo } },
        address: publicPageUrl(c.engine.config, FIRST_SIGN_IN_PATH),
        until: lastDay.toString(),
        letters,
      })
      return new RouteResponse(200, pdf, { 'content-type': 'application/pdf' })
    },
  },
)
