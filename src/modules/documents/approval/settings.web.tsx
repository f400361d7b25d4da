import '@mantine/core/styles/Radio.layer.css'
import '@mantine/core/styles/RadioIndicator.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { Alert, Anchor, Radio, Stack, Switch, Text } from '@mantine/core'
import { IconUser } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { RecordOf } from '#kernel/resource.ts'
import { hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { LetterheadLayout } from '#modules/portal/letterhead/papers.web.tsx'
import { useActor, useMe } from '#web/api/me.ts'
import { useApiRecord, useSaveRecord } from '#web/api/resources.ts'
import { RecordPanels } from '#web/shell/manifest/panels.tsx'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { useDocumentTypeSettings } from '../settings/kinds.web.ts'
import { NumberingCard } from '../settings/numbering-card.web.tsx'
import { ReviewPeriodsCard } from '../settings/review-card.web.tsx'
import { DEVICE_SIGNATURES, safetySettings } from '../settings/safety-settings.ts'
import { useApprovers } from './approvers.web.ts'
import css from './settings.module.css'
import { SAFETY_SETTINGS_NAV } from './settings-nav.ts'

const ABOUT_DEVICE_SIGNATURES = {
  drawing: 'Everyone who attends a toolbox talk signs by hand on the presenter’s device.',
  pin: 'Evidence that the person named signed: their own PIN was entered as well as a signature drawn by hand. Applies to people with an account, who set their PIN under “Sign-in and security”; visitors without an account sign by hand only. The record and every PDF say whether the PIN was checked. Without a connection, it is checked when the signature is sent.',
} as const

export default function SafetySettings() {
  const me = useMe()
  const settings = useApiRecord(safetySettings, me.client.id)
  const save = useSaveRecord(safetySettings)
  const kinds = useDocumentTypeSettings(me.client.id)
  const approvers = useApprovers(me.client.id, { pack: 'safety' })
  // Renders all cards together, so that the layout doesn't shift as they load.
  const all = settings.data && kinds.data && !approvers.isPending ? kinds.data.kinds : undefined
  const forbids = settings.data?.forbidSelfApproval ?? false
  const signatures = settings.data?.deviceSignatures ?? 'drawing'
  const set = (values: Partial<Pick<RecordOf<typeof safetySettings>, 'forbidSelfApproval' | 'deviceSignatures'>>) =>
    save.mutate(
      { id: me.client.id, values },
      { onSuccess: () => toast.saved('settings'), onError: (e) => toast.failed(e, () => set(values)) },
    )
  const saving = save.isPending ? save.variables.values : {}
  return (
    <Page
      title={SAFETY_SETTINGS_NAV.title}
      about={
        me.client.id === PROVIDER_CLIENT_ID
          ? 'These settings apply to your own documents and to every company without settings of its own.'
          : undefined
      }
    >
      {settings.isError && <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />}
      {!all && !settings.isError && !kinds.isError && <LoadingRows rows={6} />}
      {all && (
        <section className={page.card} aria-labelledby="approval">
          <h2 id="approval">Approval</h2>
          <Switch
            label="Require a second person to approve"
            description="Authors can’t approve documents that they wrote or completed. If this is off, they can, and the record and every PDF will say so."
            checked={(saving.forbidSelfApproval ?? forbids) === true}
            disabled={save.isPending}
            onChange={(e) => set({ forbidSelfApproval: e.currentTarget.checked })}
          />
          <Approvers clientId={me.client.id} forbids={forbids} />
        </section>
      )}
      {all && (
        <section className={page.card} aria-labelledby="device-signatures">
          <h2 id="device-signatures">Signatures on the presenter’s device</h2>
          <Radio.Group
            aria-labelledby="device-signatures"
            value={
              saving.deviceSignatures === undefined ? signatures : saving.deviceSignatures === 'pin' ? 'pin' : 'drawing'
            }
            onChange={(value) => set({ deviceSignatures: value === 'pin' ? 'pin' : 'drawing' })}
          >
            <Stack gap="sm">
              {DEVICE_SIGNATURES.map(({ value, label }) => (
                <Radio
                  key={value}
                  value={value}
                  label={label}
                  description={ABOUT_DEVICE_SIGNATURES[value]}
                  disabled={save.isPending || me.isImpersonating}
                />
              ))}
            </Stack>
          </Radio.Group>
        </section>
      )}
      {kinds.isError && <ErrorState error={kinds.error} onRetry={() => void kinds.refetch()} />}
      {all && <ReviewPeriodsCard clientId={me.client.id} kinds={all} />}
      {all && <NumberingCard clientId={me.client.id} kinds={all} />}
      {all && settings.data && <RecordPanels record={settings.data} />}
      {all && <LetterheadLayout />}
    </Page>
  )
}

/** The approvers, with a warning if there are fewer than two. */
function Approvers({ clientId, forbids }: { readonly clientId: number; readonly forbids: boolean }) {
  const actor = useActor()
  const found = useApprovers(clientId, { pack: 'safety' })
  const people = found.data?.['hydra:member']
  if (!people)
    return found.isError ? (
      <ErrorState error={found.error} onRetry={() => void found.refetch()} />
    ) : (
      <LoadingRows rows={2} />
    )
  return (
    <>
      <h3 className={css.heading}>Approvers</h3>
      {people.length > 0 ? (
        <ul className={css.people} aria-label="Approvers">
          {people.map((p) => (
            <li key={p.id}>
              {p.name} <span className={page.quiet}>{p.username}</span>
            </li>
          ))}
        </ul>
      ) : (
        <Text>No approvers yet.</Text>
      )}
      {people.length < 2 && (
        <Alert color="yellow" icon={<IconUser aria-hidden />} title="Only one approver">
          {forbids
            ? `Documents by ${people[0]?.name ?? 'anybody'} can’t be approved until there is a second approver.`
            : 'Until there is a second approver, authors approve their own documents.'}
        </Alert>
      )}
      {hasRole(actor, ['ROLE_CLIENT_ADMIN', 'ROLE_USER_ADMIN']) && (
        <Text>
          {'Company administrators can approve.\u0020'}
          <Anchor component={Link} to="/config/users">
            Manage users
          </Anchor>
        </Text>
      )}
    </>
  )
}
