import { Anchor, Button, Text } from '@mantine/core'
import { IconFolderShare } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { can } from '#kernel/can.ts'
import { iriOf } from '#kernel/resource.ts'
import { textOf } from '#kernel/text.ts'
import { document } from '#modules/documents/types/document.ts'
import { callApi } from '#web/api/client.ts'
import { useMaybeMe } from '#web/api/me.ts'
import { openPdf } from '#web/api/pdf.ts'
import { actorOf, type Me } from '#web/api/session.ts'
import { RecordChooserDialog } from '#web/lists/offered/choose-list.tsx'
import offered from '#web/lists/offered/offered.module.css'
import { signInPath } from '#web/shell/pages/redirects.ts'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { ramsInfo } from '../rams/rams-info.ts'
import { ramsPack } from '../rams/rams-pack.ts'
import type { RequestedRams } from './rams-request.ts'
import css from './requests.module.css'

interface Props {
  readonly at: string
  readonly company: string
  readonly onSent: (answer: RequestedRams) => void
}

/** Lets a subcontractor with an account answer with its own pack; visitors are asked to sign in. */
export function PackAnswerSection(props: Props) {
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
      question: `${company} receives one PDF of the pack as it is today, with all documents it refers to. It can’t read anything else of ${me.client.company}.`,
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
        {`Choose a pack of ${me.client.company}`}
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
          const called = `${textOf(documentNumber)}, revision ${String(revision)}`
          const open = () =>
            void openPdf(`${iriOf(document, Number(id))}/pack`).catch((e: unknown) => toast.failed(e, open))
          return [
            called,
            textOf(title),
            <div key="actions" className={offered.actions}>
              <Button variant="subtle" size="compact-md" aria-label={`View Pdf of ${called}`} onClick={open}>
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
