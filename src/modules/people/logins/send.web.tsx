import '@mantine/core/styles/Tooltip.layer.css'
import { ActionIcon, Button, Stack, Text, Tooltip } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { useState } from 'react'
import { canRunAction } from '#kernel/can.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { formatInteger } from '#kernel/text.ts'
import { callApi, type QueryParams, queryString } from '#web/api/client.ts'
import { saveToDisk } from '#web/api/file.ts'
import { useActor } from '#web/api/me.ts'
import type { BulkReview } from '#web/lists/extras/bulk-bar.tsx'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { employeeRecord } from '../employees/employee-record.ts'
import { useRefreshEmployees } from '../refresh.web.ts'
import { LOGIN_DAYS, LOGIN_LETTERS_URL, LOGIN_PREVIEW_URL, type LoginPreview, MAX_LETTERS } from './employee-login.ts'

type Employee = Pick<RecordOf<typeof employeeRecord>, 'id' | 'name' | 'login' | 'retired'>

const ACTION = 'sendLoginDetails'
const TITLE = 'Send Login Details'

const count = (n: number, one: string, many: string) => `${formatInteger(n)} ${n === 1 ? one : many}`

const fetchPreview = (params: QueryParams) => callApi<LoginPreview>('GET', `${LOGIN_PREVIEW_URL}${queryString(params)}`)

async function printLetters(ids: readonly number[]): Promise<void> {
  const employees = ids.map((id) => `${employeeRecord.url}/${id}`)
  saveToDisk(await callApi<Blob>('POST', LOGIN_LETTERS_URL, { employees }), 'Login details.pdf')
}

const LETTER_WORDS = `The code in a letter works once, within ${LOGIN_DAYS} days. It is not shown again: a new letter replaces it. Hand the letter over in a closed envelope.`

/** Returns a dialog and a function that sends login details to one employee, by e-mail or as a letter, after a question. */
function useLoginSender() {
  const refresh = useRefreshEmployees()
  const [dialog, ask] = useConfirm()
  const [busy, setBusy] = useState(false)
  const sendByEmail = async ({ id, name, login }: Employee) => {
    const question = `${name} gets an e-mail with a link to choose a password. It works once, within ${LOGIN_DAYS} days.${login === 'none' ? '' : ' An earlier link or code no longer works.'}`
    if (!(await ask({ title: TITLE, question, action: 'Send' }))) return
    const { isWaiting } = await callApi<{ isWaiting: boolean }>(
      'POST',
      `${employeeRecord.url}/${id}/${employeeRecord.actions?.[ACTION].path}`,
      {},
    )
    toast.info(isWaiting ? 'Today’s e-mails are used up. The e-mail is sent tomorrow.' : 'The e-mail is being sent')
  }
  const print = async ({ id, name }: Employee) => {
    const question = `${name} has no e-mail address. ${LETTER_WORDS}`
    if (await ask({ title: TITLE, question, action: 'Print letter' })) await printLetters([id])
  }
  const send = async (one: Employee) => {
    setBusy(true)
    try {
      const { letters, reasons } = await fetchPreview({ id: [one.id] })
      if (reasons[0]) toast.info(reasons[0].reason)
      else await (letters.length ? print(one) : sendByEmail(one))
      refresh()
    } catch (e) {
      toast.failed(e)
    } finally {
      setBusy(false)
    }
  }
  return { dialog, send, busy }
}

interface Props {
  readonly record: Employee
  /** True for an icon in a row of a list. */
  readonly inRow?: boolean
}

/** Button with an envelope that sends login details to an employee. */
export function SendLoginButton({ record, inRow = false }: Props) {
  const actor = useActor()
  const { dialog, send, busy } = useLoginSender()
  if (record.retired || !canRunAction(actor, ACTION, employeeRecord)) return null
  return (
    <>
      {inRow ? (
        <Tooltip label={TITLE}>
          <ActionIcon
            size={44}
            variant="subtle"
            aria-label={`${TITLE} to ${record.name}`}
            loading={busy}
            onClick={() => void send(record)}
          >
            <IconMail size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ) : (
        <Button
          variant="default"
          leftSection={<IconMail size={16} aria-hidden />}
          loading={busy}
          onClick={() => void send(record)}
        >
          {TITLE}
        </Button>
      )}
      {dialog}
    </>
  )
}

/**
 * Button that prints letters for the employees of a selection who have no e-mail address. `from` is the URL that lists
 * the selection.
 */
export function PrintLettersButton({ from }: { readonly from: string }) {
  const refresh = useRefreshEmployees()
  const [dialog, ask] = useConfirm()
  const [busy, setBusy] = useState(false)
  const print = async () => {
    setBusy(true)
    try {
      const { letters, reasons } = await callApi<LoginPreview>(
        'GET',
        `${LOGIN_PREVIEW_URL}${new URL(from, location.origin).search}`,
      )
      const printed = letters.slice(0, MAX_LETTERS)
      const title = `Print ${count(printed.length, 'letter', 'letters')}`
      const left = letters.length - printed.length
      const question = `${left ? `A file has up to ${MAX_LETTERS} letters: ${formatInteger(left)} are left for the next ones. ` : ''}${LETTER_WORDS}`
      if (!printed.length) toast.info(reasons[0]?.reason ?? 'All of them have an e-mail address.')
      else if (await ask({ title, question, action: title })) await printLetters(printed)
      refresh()
    } catch (e) {
      toast.failed(e)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button size="xs" variant="default" loading={busy} onClick={() => void print()}>
        Print letters
      </Button>
      {dialog}
    </>
  )
}

/** Reviews the recipients of a bulk send, and the days on which they get their e-mails. */
async function reviewLogins(
  selection: { readonly rows: readonly { readonly id: number }[] } | { readonly asked: QueryParams },
): Promise<BulkReview> {
  const preview = await fetchPreview('rows' in selection ? { id: selection.rows.map(({ id }) => id) } : selection.asked)
  const { employees, letters, reasons } = preview
  if (!employees.length)
    return {
      none: letters.length
        ? 'They have no e-mail address. Choose “Print letters”.'
        : (reasons[0]?.reason ?? 'All of them have already signed in.'),
    }
  return {
    question: <Review preview={preview} />,
    confirm: `Send ${count(employees.length, 'e-mail', 'e-mails')}`,
    which: { ids: employees.map((id) => `${employeeRecord.url}/${id}`) },
    params: {},
  }
}

function Review({ preview }: { readonly preview: LoginPreview }) {
  const { letters, today, later, perDay, signedIn, refusals, reasons } = preview
  return (
    <Stack gap="sm">
      <strong>
        {formatInteger(today)} today{later > 0 && `, ${formatInteger(later)} from tomorrow`}
      </strong>
      {later > 0 && (
        <Text size="sm">
          Your company can e-mail {formatInteger(perDay)} recipients a day. The portal continues automatically every
          day. Until all are sent, your company can send few other e-mails.
        </Text>
      )}
      <Text size="sm">Each link works once, within {LOGIN_DAYS} days. Earlier links no longer work.</Text>
      {letters.length > 0 && (
        <Text size="sm">
          {count(letters.length, 'employee has', 'employees have')} no e-mail address: choose “Print letters” for them.
        </Text>
      )}
      {signedIn > 0 && (
        <Text size="sm">{count(signedIn, 'has already signed in', 'have already signed in')}: no e-mail for them.</Text>
      )}
      {refusals > 0 && (
        <>
          <Text size="sm">{count(refusals, 'employee gets', 'employees get')} no login details:</Text>
          <ul>
            {reasons.map(({ name, reason }) => (
              <li key={name}>{reason}</li>
            ))}
          </ul>
        </>
      )}
    </Stack>
  )
}

export const LOGIN_BULK_WORDS = { [ACTION]: { title: TITLE, done: 'queued to be e-mailed', review: reviewLogins } }
