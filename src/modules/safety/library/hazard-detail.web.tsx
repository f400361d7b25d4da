import { Button, Checkbox, Text, Title } from '@mantine/core'
import { IconCopy, IconPencil, IconPlus } from '@tabler/icons-react'
import { can } from '#kernel/can.ts'
import { useActor } from '#web/api/me.ts'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { toast } from '#web/ui/toast.ts'
import css from '../library.module.css'
import { isSystemTemplate, libraryOwnerOf } from '../statements/selection.ts'
import { type LibraryControl, type LibraryHazard, useCopyHazard, useLibraryControls } from './data.web.ts'
import { controlTierLabel, hazard as hazardResource } from './hazard.ts'

interface Props {
  readonly hazard: LibraryHazard | undefined
  /** Controls to add with the hazard; if undefined, controls can't be selected. */
  readonly chosen?: readonly LibraryControl[]
  readonly onChosen?: (controls: readonly LibraryControl[]) => void
  readonly onEdit: () => void
  readonly onCopied: (hazard: LibraryHazard) => void
  readonly onControl: (control: LibraryControl | undefined) => void
}

/** The active hazard and its controls, in the order of the hierarchy of control. */
export function HazardDetail({ hazard, chosen, onChosen, onEdit, onCopied, onControl }: Props) {
  const actor = useActor()
  const controls = useLibraryControls(hazard?.['@id'])
  const copy = useCopyHazard()
  if (!hazard)
    return (
      <div className={css.detail}>
        <EmptyState title="Choose a hazard to see its controls" />
      </div>
    )
  const keeper = can(actor, 'create', hazardResource)
  const own = can(actor, 'update', hazardResource, { clientId: libraryOwnerOf(hazard) })
  const copied = () =>
    copy.mutateAsync(hazard['@id']).then(
      (made) => {
        toast.saved(`your copy of ${hazard.name}`)
        onCopied(made)
      },
      (e: unknown) => toast.failed(e, () => void copied()),
    )
  const list = controls.data
  const all = list ?? []
  return (
    <section className={css.detail} aria-label="Hazard">
      <div>
        <Title order={2} size="h3">
          {hazard.name}
        </Title>
        <Text c="dimmed" size="sm">
          {hazard.group.name} · {hazard.industries.length ? hazard.industries.join(', ') : 'All industries'}
        </Text>
      </div>
      <Text>{hazard.description}</Text>
      <div className={css.chips}>
        {isSystemTemplate(hazard) && <StatusChip meaning="info">Template</StatusChip>}
        {own && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPencil size={14} aria-hidden />}
            onClick={onEdit}
          >
            Edit hazard
          </Button>
        )}
        {keeper && !own && (
          <Button
            size="compact-sm"
            variant="default"
            loading={copy.isPending}
            leftSection={<IconCopy size={14} aria-hidden />}
            onClick={() => void copied()}
          >
            Copy to our library
          </Button>
        )}
      </div>
      <div className={css.chips}>
        <Title order={3} size="h4">
          Controls
        </Title>
        {onChosen && all.length > 0 && (
          <Button size="compact-sm" variant="subtle" onClick={() => onChosen(chosen?.length === all.length ? [] : all)}>
            {chosen?.length === all.length ? 'Select none' : 'Select all'}
          </Button>
        )}
        {keeper && (
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => onControl(undefined)}
          >
            New control
          </Button>
        )}
      </div>
      {controls.isError ? (
        <ErrorState error={controls.error} onRetry={() => void controls.refetch()} />
      ) : !list ? (
        <LoadingRows rows={4} />
      ) : list.length === 0 ? (
        <Text c="dimmed">No controls yet.</Text>
      ) : (
        <ul className={css.controls}>
          {list.map((k) => (
            <li key={k.id} className={css.control}>
              {chosen && onChosen ? (
                <Checkbox
                  label={k.name}
                  description={k.description}
                  checked={chosen.some((c) => c.id === k.id)}
                  onChange={() =>
                    onChosen(chosen.some((c) => c.id === k.id) ? chosen.filter((c) => c.id !== k.id) : [...chosen, k])
                  }
                />
              ) : (
                <div>
                  <div className={css.title}>{k.name}</div>
                  <p className={css.excerpt}>{k.description}</p>
                </div>
              )}
              <div className={css.chips}>
                <StatusChip>{controlTierLabel(k.tier)}</StatusChip>
                {can(actor, 'update', hazardResource, { clientId: libraryOwnerOf(k) }) && (
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    aria-label={`Edit control ${k.name}`}
                    onClick={() => onControl(k)}
                  >
                    Edit
                  </Button>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
