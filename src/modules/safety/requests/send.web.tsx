import { Alert, Anchor, Button, FileButton, Text, Textarea, TextInput } from '@mantine/core'
import { IconFileTypePdf, IconFolderShare, IconSend } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation, useParams } from 'react-router'
import { can } from '#kernel/can.ts'
import { fileSizeProblem } from '#kernel/file-limit.ts'
import { iriOf } from '#kernel/resource.ts'
import { toText } from '#kernel/text.ts'
import { document } from '#modules/documents/types/document.ts'
import { callApi } from '#web/api/client.ts'
import { useMaybeMe } from '#web/api/me.ts'
import { openPdf } from '#web/api/pdf.ts'
import { actorOf, type Me } from '#web/api/session.ts'
import { formatIsoAsUkDate, formatIsoAsUkDateTime } from '#web/dates/uk-dates.ts'
import { RecordChooserDialog } from '#web/lists/chooser/record-chooser.tsx'
import offered from '#web/lists/offered/offered.module.css'
import { PublicLinkPage } from '#web/shell/pages/link-page.tsx'
import { signInPath } from '#web/shell/pages/redirects.ts'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import { ErrorText } from '#web/ui/error-text.tsx'
import page from '#web/ui/page.module.css'
import { OfflineNotice } from '#web/ui/states.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { ramsInfo } from '../rams/rams-info.ts'
import { ramsPack } from '../rams/rams-pack.ts'
import { MAX_RAMS_FILE_BYTES, type RequestedRams } from './rams-request.ts'
import css from './requests.module.css'

interface Props {
  readonly at: string
  readonly company: string
  readonly onSent: (answer: RequestedRams) => void
}

/** Form with which a subcontractor that has an account responds with its own pack. Visitors are asked to sign in. */
function PackAnswerSection(props: Props) {
  const me = useMaybeMe()
  const { pathname } = useLocation()
  if (!me)
    return (
      <Text size="sm">
        {'Does your company keep its RAMS in this portal? '}
        <Anchor component={Link} to={signInPath(pathname)} size="sm">
          Sign in to answer with a RAMS pack
        </Anchor>
      </Text>
    )
  return can(actorOf(me), 'create', ramsPack.resource) ? <Choose {...props} me={me} /> : null
}

function Choose({ at, company, onSent, me }: Props & { readonly me: Me }) {
  const [opened, setOpened] = useState(false)
  const [dialog, ask] = useConfirm()
  const send = useMutation({
    mutationFn: (id: number) => callApi<RequestedRams>('POST', `${at}/packs/${id}`, {}),
    onSuccess: (answer) => {
      toast.info(`RAMS pack sent to ${company}`, 'safe')
      setOpened(false)
      onSent(answer)
    },
    onError: (e) => toast.failed(e),
  })
  const choose = async (id: number, called: string) => {
    const yes = await ask({
      title: `Send ${called}`,
      question: `${company} will receive one PDF of the pack as it is today, with all documents the pack refers to, but can’t read anything else from ${me.client.company}.`,
      action: 'Send pack',
    })
    if (yes) send.mutate(id)
  }
  return (
    <section aria-labelledby="own-pack" className={css.form}>
      <h2 id="own-pack">Answer with a RAMS pack</h2>
      <Button
        size="md"
        variant="default"
        className={css.file ?? ''}
        leftSection={<IconFolderShare size={18} aria-hidden />}
        onClick={() => setOpened(true)}
      >
        {`Choose a pack from ${me.client.company}`}
      </Button>
      <RecordChooserDialog
        opened={opened}
        onClose={() => setOpened(false)}
        title="RAMS packs in force"
        label="RAMS packs in force"
        r={document}
        params={{ kind: ramsInfo.kind, current: true, retired: false, client: me.client['@id'] }}
        heads={['Document Number', 'Description', 'Actions']}
        draw={({ id, documentNumber, revision, title }) => {
          const called = `${toText(documentNumber)}, revision ${String(revision)}`
          const open = () =>
            void openPdf(`${iriOf(document, Number(id))}/pack`).catch((e: unknown) => toast.failed(e, open))
          return [
            called,
            toText(title),
            <div key="actions" className={offered.actions}>
              <Button variant="subtle" size="compact-md" aria-label={`View PDF of ${called}`} onClick={open}>
                View Pdf
              </Button>
              <Button
                size="compact-md"
                aria-label={`Send ${called}`}
                loading={send.isPending && send.variables === id}
                onClick={() => void choose(Number(id), called)}
              >
                Send
              </Button>
            </div>,
          ]
        }}
      />
      {dialog}
    </section>
  )
}

/** Page that the link in the e-mail opens without signing in. Shows the request and a form to send RAMS. */
export default function SendRamsPage() {
  const { token = '' } = useParams()
  const at = `/api/safety/asked_rams/${token}`
  const queries = useQueryClient()
  const onSent = (answer: RequestedRams) => queries.setQueryData([at], answer)
  return (
    <PublicLinkPage<RequestedRams>
      at={at}
      title="RAMS"
      titleOf={({ asked }) => asked && `RAMS for ${asked.job}`}
      closedTitle="Nothing to send"
      narrow
    >
      {({ company, asked }) =>
        asked && (
          <>
            <Text>
              {`${company} requests the risk assessments and method statement from ${asked.company} for ${asked.job}${
                asked.site ? `, ${asked.site}` : ''
              }, by ${formatIsoAsUkDate(asked.due)}. This link is valid until ${formatIsoAsUkDate(asked.until)}.`}
            </Text>
            {asked.notes && <Text className={css.words ?? ''}>{`“${asked.notes}”`}</Text>}
            {asked.state === 'returned' && (
              <Alert color="yellow" title="Please send corrected RAMS">
                {asked.reason}
              </Alert>
            )}
            <Sent sent={asked.sent} />
            <SendForm at={at} person={asked.person} again={asked.sent.length > 0} onSent={onSent} />
            <PackAnswerSection at={at} company={company} onSent={onSent} />
          </>
        )
      }
    </PublicLinkPage>
  )
}

function Sent({ sent }: Pick<NonNullable<RequestedRams['asked']>, 'sent'>) {
  if (!sent.length) return null
  return (
    <section aria-labelledby="sent">
      <h2 id="sent">Sent files</h2>
      <ul className={css.versions}>
        {sent.map(({ version, name, at }) => (
          <li key={version}>
            <div className={css.what}>
              <strong>{`Version ${version}: ${name}`}</strong>
              {at && <span className={page.quiet}>{formatIsoAsUkDateTime(at)}</span>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface FormProps {
  readonly at: string
  readonly person: string
  readonly again: boolean
  readonly onSent: (answer: RequestedRams) => void
}

function SendForm({ at, person, again, onSent }: FormProps) {
  const [file, setFile] = useState<File | null>(null)
  const [sender, setSender] = useState(person)
  const [notes, setNotes] = useState('')
  const [missing, setMissing] = useState<string>()
  const send = useMutation({
    mutationFn: (chosen: File) => {
      const form = new FormData()
      form.append('sender', sender)
      form.append('notes', notes)
      form.append('file', chosen)
      return callApi<RequestedRams>('POST', `${at}/files`, form)
    },
    onSuccess: (answer) => {
      setFile(null)
      setNotes('')
      onSent(answer)
    },
  })
  const wrong = missing ?? (send.isError ? errorSentence(send.error) : undefined)
  const choose = (chosen: File | null) => {
    send.reset()
    setMissing(chosen ? fileSizeProblem(chosen, MAX_RAMS_FILE_BYTES) : undefined)
    setFile(chosen)
  }
  return (
    <form
      className={css.form}
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        if (!file) return setMissing('Please choose a PDF')
        if (!fileSizeProblem(file, MAX_RAMS_FILE_BYTES)) send.mutate(file)
      }}
    >
      <h2>{again ? 'Send another version' : 'Send your RAMS'}</h2>
      <OfflineNotice>You are offline. Please send your RAMS when the connection is back.</OfflineNotice>
      <TextInput
        label="Your name"
        maxLength={200}
        autoComplete="name"
        value={sender}
        onChange={(e) => setSender(e.currentTarget.value)}
      />
      <div>
        <FileButton accept="application/pdf,.pdf" onChange={choose}>
          {(props) => (
            <Button {...props} variant="default" size="md" leftSection={<IconFileTypePdf size={18} aria-hidden />}>
              {file ? 'Choose another PDF' : 'Choose PDF'}
            </Button>
          )}
        </FileButton>
        <Text size="sm" mt="xs">
          {file ? file.name : 'One PDF of at most 10 MB'}
        </Text>
      </div>
      <Textarea
        label="Note"
        maxLength={1000}
        autosize
        minRows={2}
        value={notes}
        onChange={(e) => setNotes(e.currentTarget.value)}
      />
      {wrong && <ErrorText>{wrong}</ErrorText>}
      {send.isSuccess && !file && (
        <Alert color="green" role="status">
          Your RAMS have been received. Thank you. You will get an e-mail if anything needs correcting.
        </Alert>
      )}
      <Button
        type="submit"
        size="md"
        className={css.file ?? ''}
        loading={send.isPending}
        leftSection={<IconSend size={18} aria-hidden />}
      >
        Send
      </Button>
    </form>
  )
}
