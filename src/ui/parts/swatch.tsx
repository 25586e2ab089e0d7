/** A colour as people see it, and as it is written. */

/** The colour is an attribute of the drawing: style attributes are for overlays alone. */
export const Swatch = ({ colour }: { colour: string }) => (
  <>
    <svg className="swatch" viewBox="0 0 10 10" aria-hidden="true">
      <rect width="10" height="10" fill={colour} />
    </svg>
    {colour}
  </>
)
