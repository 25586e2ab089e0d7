/** A colour sample and its text. */

/** The colour is an SVG attribute, because only overlays may have style attributes. */
export const Swatch = ({ colour }: { colour: string }) => (
  <>
    <svg className="swatch" viewBox="0 0 10 10" aria-hidden="true">
      <rect width="10" height="10" fill={colour} />
    </svg>
    {colour}
  </>
)
