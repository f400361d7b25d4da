import { buffer } from 'node:stream/consumers'
import { problem, violation } from '#kernel/errors.ts'
import { text } from '#kernel/fields.ts'
import { tooLongViolation } from '#kernel/forms/losses.ts'
import { idFromIriOrNumber, parseId } from '#kernel/iri.ts'
import { iriOf, type RowOf } from '#kernel/resource.ts'
import { hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { removeInvisibleCharacters } from '#kernel/text.ts'
import { firstQueryValue } from '#server/data/filters.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { serialiseWrittenRecord } from '#server/engine/field-access.ts'
import { feature } from '#server/engine/module.ts'
import { type Route, type RouteContext, RouteResponse } from '#server/engine/route.ts'
import type { Engine } from '#server/engine/types.ts'
import { MissingFileError } from '#server/files/port.ts'
import { rejectedFileProblem } from '#server/files/sniff.ts'
import { fileStoreFor } from '#server/files/store.ts'
import { hydraCollection } from '#server/http/list-route.ts'
import { receiveFile } from '../files/upload.server.ts'
import { BANNER_MANAGER_ROLE, VISIBLE_BANNERS_PATH } from '../nav.ts'
import { alertBanner, BANNER_UPLOAD_PATH, isBannerVisibleTo, MAX_IMAGE_TEXT } from './banner.ts'

type Banner = RowOf<typeof alertBanner>

const MAX_PICTURE_BYTES = 10 * 1024 * 1024

const bannerBehaviour = behaviour(alertBanner, {
  beforeSave: ({ values }) => {
    const wrong = [
      ...(values.from && values.until && values.until < values.from
        ? [violation('until', 'The last day must not be before the first day')]
        : []),
      ...(values.linkWords && !values.linkTo ? [violation('linkTo', 'Please enter the link')] : []),
      ...(values.linkTo && !values.linkWords ? [violation('linkWords', 'Please enter the link text')] : []),
      ...(values.shown && !values.title?.trim() && !values.imageKey
        ? [violation('title', 'Please add a title or a picture before the banner is shown')]
        : []),
      ...(values.imageKey && values.shown && !values.title?.trim() && !values.imageText?.trim()
        ? [violation('imageText', 'Please enter the alternative text for people who can’t see the picture')]
        : []),
    ]
    if (wrong.length) throw problem.invalid(wrong)
    return undefined
  },
  actions: {
    removePicture: ({ row }) => {
      if (row.shown && !row.title.trim())
        throw problem.conflict(
          'This banner is being shown and has no title, so it would be empty without the picture. Please enter a title first.',
        )
      return { set: { imageKey: null, imageType: null, imageWidth: null, imageHeight: null } }
    },
  },
})

const removeFiles = async ({ config }: Engine, keys: readonly (string | null | undefined)[]): Promise<void> => {
  const store = await fileStoreFor(config)
  await Promise.allSettled(keys.flatMap((key) => (key ? [store.remove(key)] : [])))
}

const bannersOf = (engine: Engine, which: { readonly id?: number } = {}): Promise<Banner[]> =>
  engine.readIn(PROVIDER_CLIENT_ID, 'read the banners', (c) => c.find(alertBanner, which))

const shown: Route = {
  method: 'GET',
  path: VISIBLE_BANNERS_PATH,
  title: 'List the banners currently shown to the user',
  allow: 'member',
  listOf: 'objects',
  handle: async ({ engine, me, now }) => {
    const all = (await bannersOf(engine)).filter((one) => isBannerVisibleTo(one, me.clientId, now))
    return hydraCollection(
      all.map(({ id, kind, title, message, linkTo, linkWords, imageKey, imageText, updatedAt }) => ({
        '@id': iriOf(alertBanner, id),
        kind,
        title,
        message,
        linkTo,
        linkWords,
        image: imageKey ? `${iriOf(alertBanner, id)}/image?version=${imageKey.slice(-12)}` : null,
        imageText,
        updatedAt,
      })),
    )
  },
}

const picture: Route = {
  method: 'GET',
  path: `${alertBanner.url}/{id}/image`,
  title: 'Get a banner’s picture; only for the banner’s audience and for staff',
  query: { version: text({ help: 'Version of the picture. A new picture has a new URL.' }) },
  allow: 'member',
  file: ['image/webp', 'image/jpeg'],
  handle: async ({ engine, me, now, params }) => {
    const [one] = await bannersOf(engine, { id: parseId(params.id) ?? 0 })
    const reads = me.clientId === PROVIDER_CLIENT_ID && hasRole(me, 'ROLE_STAFF')
    if (!one?.imageKey || !(reads || isBannerVisibleTo(one, me.clientId, now))) throw problem.notFound()
    const store = await fileStoreFor(engine.config)
    const bytes = await store
      .get(one.imageKey)
      .then(buffer)
      .catch((e: unknown) => {
        throw e instanceof MissingFileError ? problem.notFound('The picture is missing from the file store.') : e
      })
    return new RouteResponse(200, bytes, {
      'content-type': one.imageType ?? 'image/webp',
      'cache-control': 'private, max-age=86400',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
  },
}

/**
 * Returns the ID of the banner for which a picture is uploaded. Throws 422 if none is given, and 404 if there is no
 * such banner.
 */
async function askedBanner(c: RouteContext, given: string | undefined): Promise<number> {
  if (!given) throw problem.invalid([violation('banner', 'Please choose the banner to which the picture belongs')])
  const id = idFromIriOrNumber(alertBanner, given)
  if (id === undefined) throw problem.notFound()
  return (await c.engine.one(alertBanner, c.me, id)).id
}

const upload: Route = {
  method: 'POST',
  path: BANNER_UPLOAD_PATH,
  title: 'Upload a banner’s picture: multipart/form-data with `file`, `banner` (ID 17 or 5) and optionally `imageText`',
  query: { banner: text({ help: 'Banner ID, if the form data doesn’t contain it.' }) },
  allow: BANNER_MANAGER_ROLE,
  provider: true,
  upload: true,
  refuses: [404, 413, 422],
  handle: (c) =>
    receiveFile(
      c,
      { clientId: PROVIDER_CLIENT_ID, texts: ['banner', 'imageText'], limit: MAX_PICTURE_BYTES, only: 'image' },
      async ({ file, texts }, keepIt) => {
        const id = await askedBanner(c, texts.banner || firstQueryValue(c.query.banner))
        const imageText = removeInvisibleCharacters(texts.imageText ?? '')
        const wrong = tooLongViolation('Alternative text', imageText, MAX_IMAGE_TEXT, 'imageText')
        if (wrong) throw problem.invalid(wrong)
        const kept = await keepIt()
        const { viewKey, width, height } = kept
        if (!viewKey || !width || !height)
          throw rejectedFileProblem(`“${file.name}” can’t be shown as a picture. Choose another file.`)
        let former: string | null = null
        const answer = await c.engine.inTenant(PROVIDER_CLIENT_ID, c.change(), async (unit) => {
          const before = await unit.lock(alertBanner, id)
          const written = await unit
            .withoutPermissionCheck('show a banner with its picture')
            .change(alertBanner, before, {
              imageKey: viewKey,
              imageType: kept.viewType,
              imageWidth: width,
              imageHeight: height,
              ...(imageText ? { imageText } : {}),
            })
          former = before.imageKey
          return () =>
            new RouteResponse(201, serialiseWrittenRecord(alertBanner, c.me, written), {
              location: iriOf(alertBanner, id),
            })
        })
        // Removes the uploaded file and the previous picture, so that only the re-encoded picture remains.
        await removeFiles(c.engine, [kept.fileKey, kept.thumbnailKey, former])
        return answer
      },
    ),
}

const bannerRoutes: readonly Route[] = [shown, picture, upload]

export const banners = feature({
  resources: [alertBanner],
  behaviours: [bannerBehaviour],
  routes: bannerRoutes,
})
