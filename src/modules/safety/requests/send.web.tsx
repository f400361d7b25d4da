import { Alert, Anchor, Button, FileButton, Text, Textarea, TextInput } from '@mantine/core'
import { IconFolderShare, IconPaperclip, IconSend } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation, useParams } from 'react-router'
import { can } from '#kernel/can.ts'
import { fileSizeProblem } from '#kernel/file-limit.ts'
import { iriOf } from '#kernel/resource.ts'
import { formatCountWithNoun, toText } from '#kernel/text.ts'
import { document } from '#modules/documents/types/document.ts'
import { ApiError, callApi } from '#web/api/client.ts'
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
import { formatFileSize } from '#web/uploads/thumb.tsx'
import { ramsInfo } from '../rams/rams-info.ts'
import { ramsPack } from '../rams/rams-pack.ts'
import { MAX_RAMS_FILE_BYTES, MAX_RAMS_FILES, type RequestedRams, SENDER_REQUIRED } from './rams-request.ts'
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
            <SendForm at={at} again={asked.sent.length > 0} onSent={onSent} />
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
        {sent.map(({ version, part, name, at }) => (
          <li key={`${version} ${part}`}>
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
  readonly again: boolean
  readonly onSent: (answer: RequestedRams) => void
}

interface ChosenFile {
  readonly key: number
  readonly file: File
  /** Reason for which the file was rejected. */
  readonly problem?: string | undefined
}

const FILE_TYPES =
  'application/pdf,.pdf,.doc,.docx,application/msword,application/vnd.openxmlformats-officedocument.wordprocessingml.document,image/*'

/** True if the server has rejected the file itself, so that a repeated request would fail too. */
const isRefusal = (e: unknown): boolean => e instanceof ApiError && [409, 413, 422].includes(e.status)

function SendForm({ at, again, onSent }: FormProps) {
  const [files, setFiles] = useState<readonly ChosenFile[]>([])
  const [sender, setSender] = useState('')
  const [notes, setNotes] = useState('')
  const [missing, setMissing] = useState<string>()
  const send = useMutation({
    // Each file has its own request, so that a rejected file doesn't stop the others.
    mutationFn: async (chosen: readonly ChosenFile[]) => {
      let joins: number | undefined
      let received = 0
      for (const one of chosen) {
        const form = new FormData()
        form.append('sender', sender)
        form.append('notes', joins === undefined ? notes : '')
        if (joins !== undefined) form.append('joins', String(joins))
        form.append('file', one.file)
        try {
          const answer = await callApi<RequestedRams>('POST', `${at}/files`, form)
          joins = answer.asked?.sent[0]?.version
          received++
          setFiles((all) => all.filter(({ key }) => key !== one.key))
          onSent(answer)
        } catch (e) {
          if (!isRefusal(e)) throw e
          setFiles((all) =>
            all.map((other) => (other.key === one.key ? { ...other, problem: errorSentence(e) } : other)),
          )
        }
      }
      return received
    },
    onSuccess: (received) => {
      if (received) setNotes('')
    },
  })
  const refused = files.filter(({ problem }) => problem)
  const wrong = missing ?? (send.isError ? errorSentence(send.error) : undefined)
  const choose = (chosen: File[]) => {
    send.reset()
    const next = Math.max(0, ...files.map(({ key }) => key + 1))
    const all = [
      ...files,
      ...chosen.map((file, i) => ({ key: next + i, file, problem: fileSizeProblem(file, MAX_RAMS_FILE_BYTES) })),
    ]
    setMissing(
      all.length > MAX_RAMS_FILES
        ? `At most ${MAX_RAMS_FILES} files can be sent at a time. The first ${MAX_RAMS_FILES} are chosen.`
        : undefined,
    )
    setFiles(all.slice(0, MAX_RAMS_FILES))
  }
  return (
    <form
      className={css.form}
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        const good = files.filter(({ problem }) => !problem)
        if (!good.length)
          return setMissing(
            refused.length ? 'Please remove the refused files and choose others' : 'Please choose a file',
          )
        if (!sender.trim()) return setMissing(SENDER_REQUIRED)
        setMissing(undefined)
        send.mutate(good)
      }}
    >
      <h2>{again ? 'Send another version' : 'Send your RAMS'}</h2>
      <OfflineNotice>You are offline. Please send your RAMS when the connection is back.</OfflineNotice>
      <TextInput
        label="Your name"
        required
        maxLength={200}
        autoComplete="name"
        value={sender}
        onChange={(e) => setSender(e.currentTarget.value)}
      />
      <div>
        <FileButton multiple accept={FILE_TYPES} onChange={choose}>
          {(props) => (
            <Button {...props} variant="default" size="md" leftSection={<IconPaperclip size={18} aria-hidden />}>
              {files.length ? 'Choose more files' : 'Choose files'}
            </Button>
          )}
        </FileButton>
        <Text size="sm" mt="xs">
          {`PDF, Word or pictures: at most ${MAX_RAMS_FILES} files, each of at most 10 MB`}
        </Text>
      </div>
      {files.length > 0 && (
        <ul className={css.versions} aria-label="Chosen files">
          {files.map(({ key, file, problem }) => (
            <li key={key}>
              <div className={css.what}>
                <strong>{file.name}</strong>
                {problem ? (
                  <ErrorText>{problem}</ErrorText>
                ) : (
                  <span className={page.quiet}>{formatFileSize(file.size)}</span>
                )}
              </div>
              <Button
                variant="subtle"
                size="compact-md"
                aria-label={`Remove ${file.name}`}
                disabled={send.isPending}
                onClick={() => setFiles(files.filter((one) => one.key !== key))}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Textarea
        label="Note"
        maxLength={1000}
        autosize
        minRows={2}
        value={notes}
        onChange={(e) => setNotes(e.currentTarget.value)}
      />
      {wrong && <ErrorText>{wrong}</ErrorText>}
      {send.isSuccess && send.data > 0 && (
        <Alert color="green" role="status">
          {refused.length
            ? `${formatCountWithNoun(send.data, 'file').join('')} received. The files above were not: please remove them and choose others.`
            : 'Your RAMS have been received. Thank you. You will get an e-mail if anything needs correcting.'}
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
