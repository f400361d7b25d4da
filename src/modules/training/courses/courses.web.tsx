import '@mantine/core/styles/Checkbox.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconLibrary, IconPlus } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { can } from '#kernel/can.ts'
import { formatMoney } from '#kernel/money.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { createTextMatcher } from '#kernel/text/search.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { invalidateLists, useList } from '#web/api/resources.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, LoadingRows, SectionError } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import css from '../training.module.css'
import { CostInput } from './cost-input.web.tsx'
import { RETAKE_MONTHS, trainingCourse, trainingCourseTemplate } from './course.ts'

const LIST = listUrlSchema({
  category: z.string().default(''),
  retired: z.enum(['', 'true', 'false']).default('false'),
})

const INPUTS = { cost: CostInput }

type Course = RecordOf<typeof trainingCourse>

/** Describes the validity of a course: `36 months`, `By 31 March each year`, `By the end of March each year`. */
function describeValidity({ validityMonths, retakeMonth, retakeDay }: Course): string {
  if (retakeMonth) {
    const month = RETAKE_MONTHS.find(({ value }) => value === retakeMonth)?.label
    return `By ${retakeDay ? `${retakeDay} ${month}` : `the end of ${month}`} each year`
  }
  return validityMonths ? `${validityMonths} ${validityMonths === 1 ? 'month' : 'months'}` : 'Does not expire'
}

/** Courses of the company: its own, and those that it has copied from the catalogue. */
export default function TrainingCourses() {
  const actor = useActor()
  const [state, set] = useUrlState(LIST)
  const [open, setOpen] = useState<Course | 'new' | 'catalogue'>()
  const close = () => setOpen(undefined)
  const mayCreate = can(actor, 'create', trainingCourse)
  const fromCatalogue = mayCreate && (
    <Button leftSection={<IconLibrary size={16} aria-hidden />} onClick={() => setOpen('catalogue')}>
      Add from the catalogue
    </Button>
  )
  return (
    <Page
      title="Courses"
      about="Courses with their validity. Some periods are good practice, not law: check with the awarding body."
      actions={
        <>
          {fromCatalogue}
          {mayCreate && (
            <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen('new')}>
              New course
            </Button>
          )}
        </>
      }
    >
      <DataList
        resource={trainingCourse}
        label="Courses"
        state={state}
        onState={set}
        search="Search courses"
        searchBy="name"
        filters={['retired']}
        columns={[
          { key: 'name', title: 'Name', link: true },
          { key: 'code', wide: true },
          { key: 'category', wide: true },
          { key: 'validityMonths', title: 'Valid', render: describeValidity },
          { key: 'cost', wide: true, render: ({ cost }: Course) => cost !== null && formatMoney(cost, 'GBP') },
        ]}
        onOpen={setOpen}
        rowMuted={(one) => one.retired}
        nothing={
          <EmptyState title="No courses yet" action={fromCatalogue}>
            Copy courses from the catalogue, or add your own.
          </EmptyState>
        }
      />
      <Dialog
        opened={open !== undefined && open !== 'catalogue'}
        onClose={close}
        title={open === 'new' ? 'New course' : 'Edit course'}
      >
        {open !== undefined && open !== 'catalogue' && (
          <ResourceForm
            resource={trainingCourse}
            fields={[
              'name',
              'code',
              'category',
              'duration',
              'validityMonths',
              'retakeMonth',
              'retakeDay',
              'retakeGraceDays',
              'cost',
              'talkTitle',
              ...(open === 'new' ? [] : (['retired'] as const)),
            ]}
            {...(open === 'new' ? {} : { record: open })}
            inputs={INPUTS}
            wide={['name', 'talkTitle']}
            onCancel={close}
            onSaved={close}
          />
        )}
      </Dialog>
      {open === 'catalogue' && <Catalogue onClose={close} />}
    </Page>
  )
}

/** Courses of the catalogue. Those that the company has copied are left out. */
function Catalogue({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient()
  const templates = useList(trainingCourseTemplate, { retired: 'false', pagination: false })
  const courses = useList(trainingCourse, { pagination: false })
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [typed, setTyped] = useState('')
  const fits = createTextMatcher(typed)
  const names = new Set(courses.data?.['hydra:member'].map(({ name }) => name.toLowerCase()))
  const copy = useMutation({
    mutationFn: async () => {
      for (const template of chosen) await callApi('POST', trainingCourse.url, { template })
    },
    onSuccess: () => {
      toast.saved(chosen.length === 1 ? 'The course is added' : `${chosen.length} courses are added`)
      onClose()
    },
    onError: (error) => toast.failed(error),
    onSettled: () => invalidateLists(queries, trainingCourse),
  })
  const offered = templates.data?.['hydra:member'].filter(({ name }) => !names.has(name.toLowerCase()))
  return (
    <Dialog opened onClose={onClose} title="Add from the catalogue">
      <Stack gap="md">
        <Text size="sm">
          A course is copied. You can change the copy, and later editions of the catalogue don’t affect it.
        </Text>
        {templates.error && <SectionError error={templates.error} onRetry={templates.refetch} />}
        {!offered && !templates.error && <LoadingRows rows={6} />}
        {offered && (
          <>
            <TextInput
              type="search"
              aria-label="Search the catalogue"
              placeholder="Search"
              value={typed}
              onChange={(e) => setTyped(e.currentTarget.value)}
            />
            <Checkbox.Group
              label={`Courses (${chosen.length} chosen)`}
              value={[...chosen]}
              onChange={(values) => setChosen(values)}
            >
              <div className={css.people}>
                {offered
                  .filter(({ name, category }) => fits(`${name} ${category}`))
                  .map((one) => (
                    <Checkbox
                      key={one.id}
                      value={one['@id']}
                      label={`${one.name} (${one.validityMonths ? `${one.validityMonths} months` : 'no expiry'})`}
                    />
                  ))}
              </div>
            </Checkbox.Group>
          </>
        )}
        <DialogActions>
          <Group>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button loading={copy.isPending} disabled={!chosen.length} onClick={() => copy.mutate()}>
              Add
            </Button>
          </Group>
        </DialogActions>
      </Stack>
    </Dialog>
  )
}
